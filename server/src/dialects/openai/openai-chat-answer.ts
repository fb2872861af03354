import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import type { AssistantPart } from '../../conversation/conversation.ts';
import { urlOf } from '../../conversation/data-url.ts';
import { joinTexts } from '../../conversation/text.ts';
import { countOf, type Usage } from '../../conversation/usage.ts';
import type { AnswerFacts, Conversion, EventWriter } from '../dialect.ts';

/** `finish_reason` of a completion. */
export const finishReasons = {
  stop: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
} as const satisfies Record<Finish, string>;

/** `usage` of a completion (provider notes 19.1). */
export const usageObject = ({ prompt, completion, total, parts }: Usage) => ({
  prompt_tokens: countOf(prompt),
  completion_tokens: countOf(completion),
  total_tokens: countOf(total) || countOf(prompt) + countOf(completion),
  prompt_tokens_details: {
    cached_tokens: countOf(parts?.cacheRead),
    cache_write_tokens: countOf(parts?.cacheWrite) + countOf(parts?.cacheWriteLong),
    audio_tokens: countOf(parts?.audioPrompt),
  },
  completion_tokens_details: {
    reasoning_tokens: countOf(parts?.reasoning),
    audio_tokens: countOf(parts?.audioCompletion),
  },
});

type PartOf<Kind extends AssistantPart['kind']> = Extract<AssistantPart, { readonly kind: Kind }>;

const of = <Kind extends AssistantPart['kind']>(parts: readonly AssistantPart[], kind: Kind): PartOf<Kind>[] =>
  parts.filter((part): part is PartOf<Kind> => part.kind === kind);

/** Reasoning with its signature, as `openai-chat-parts.ts` reads it again. */
const detailOf = ({ text, signature, redacted }: Omit<PartOf<'reasoning'>, 'kind'>) => ({
  type: 'thinking',
  text,
  signature,
  ...(redacted && { redacted }),
});

/** Members that a client sends back with the next turn, so that vendors see their own state again. */
const reasoningMembers = (parts: readonly AssistantPart[]) => {
  const reasoning = of(parts, 'reasoning');
  const details = reasoning.filter(({ signature }) => signature !== '');
  const text = reasoning.map((part) => part.text).join('');
  return {
    ...(text !== '' && { reasoning_content: text }),
    ...(details.length > 0 && {
      reasoning_details: details.map(detailOf),
    }),
  };
};

/** Where Google's own surface for OpenAI's clients has the state that belongs to a call. */
const signatureMember = (signature: string | undefined) =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };

const messageOf = (parts: readonly AssistantPart[]) => {
  const text = joinTexts(parts);
  const refusal = of(parts, 'refusal')
    .map((part) => part.text)
    .join('');
  const calls = of(parts, 'tool_call');
  const images = of(parts, 'image');
  return {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== '') ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...reasoningMembers(parts),
    ...(images.length > 0 && {
      images: images.map(({ source }) => ({ type: 'image_url', image_url: { url: urlOf(source) } })),
    }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, arguments: given, signature }) => ({
        id,
        type: 'function',
        function: { name, arguments: given },
        ...signatureMember(signature),
      })),
    }),
  };
};

const idOf = (id: string, requestId: string): string => (id === '' ? `chatcmpl-${requestId}` : id);

const choiceOf = ({ parts, finish }: Answer, index: number) => ({
  index,
  message: messageOf(parts),
  logprobs: null,
  finish_reason: finishReasons[finish],
});

const answer: Conversion['answer'] = (first, { requestId, model, created }, others = []) =>
  Buffer.from(
    JSON.stringify({
      id: idOf(first.id, requestId),
      object: 'chat.completion',
      created,
      model,
      choices: [first, ...others].map(choiceOf),
      ...(first.usage !== null && { usage: usageObject(first.usage) }),
    }),
  );

/** The delta of an event; null: it adds nothing to a chunk. */
const deltaOf = (event: StreamEvent): string | null => {
  switch (event.kind) {
    case 'text':
      return `{"content":${JSON.stringify(event.text)}}`;
    case 'reasoning':
      return `{"reasoning_content":${JSON.stringify(event.text)}}`;
    case 'refusal':
      return `{"refusal":${JSON.stringify(event.text)}}`;
    case 'signature':
      return JSON.stringify({ reasoning_details: [detailOf({ ...event, text: '' })] });
    case 'image':
      return JSON.stringify({
        images: [{ type: 'image_url', image_url: { url: `data:${event.mime};base64,${event.base64}` } }],
      });
    case 'tool_start': {
      const { index, id, name, signature } = event;
      const call = { index, id, type: 'function', function: { name, arguments: '' }, ...signatureMember(signature) };
      return JSON.stringify({ tool_calls: [call] });
    }
    case 'tool_arguments':
      return `{"tool_calls":[{"index":${event.index},"function":{"arguments":${JSON.stringify(event.text)}}}]}`;
    case 'start':
    case 'usage':
    case 'finish':
      return null;
  }
};

/** Writes the chunks of one choice. Stateful. */
const choiceWriter = (index: number, chunk: (choice: string) => string) => {
  let begun = false;
  let finished = false;
  const choice = (delta: string, finish: string | null): string =>
    chunk(`{"index":${index},"delta":${delta},"logprobs":null,"finish_reason":${JSON.stringify(finish)}}`);
  const begin = (): string => {
    if (begun) return '';
    begun = true;
    return choice('{"role":"assistant","content":""}', null);
  };
  const finishWith = (finish: Finish): string => {
    if (finished) return '';
    finished = true;
    return choice('{}', finishReasons[finish]);
  };
  return {
    write: (event: StreamEvent): string => {
      const beginning = begin();
      if (event.kind === 'finish') return beginning + finishWith(event.finish);
      const delta = deltaOf(event);
      return delta === null || finished ? beginning : beginning + choice(delta, null);
    },
    end: (): string => begin() + finishWith('stop'),
  };
};

/** Writes one stream, and adds the finish events that are missing. */
const stream = ({ requestId, model, created, includeUsage, choices: count }: AnswerFacts): EventWriter => {
  let head = '';
  let usage: Usage | null = null;
  const tail = includeUsage ? ',"usage":null}\n\n' : '}\n\n';
  const choices = Array.from({ length: count }, (_, index) =>
    choiceWriter(index, (choice) => `${head}"choices":[${choice}]${tail}`),
  );
  const begin = (id: string): void => {
    if (head !== '') return;
    const object = { id: idOf(id, requestId), object: 'chat.completion.chunk', created, model };
    head = `data: ${JSON.stringify(object).slice(0, -1)},`;
  };
  const writeOne = (event: StreamEvent, choice: number): string => {
    if (event.kind === 'usage') {
      ({ usage } = event);
      return '';
    }
    begin(event.kind === 'start' ? event.id : '');
    return choices[choice]?.write(event) ?? '';
  };
  const usageChunk = (): string =>
    includeUsage && usage !== null ? `${head}"choices":[],"usage":${JSON.stringify(usageObject(usage))}}\n\n` : '';

  return {
    write: (events, choice = 0) => {
      let text = '';
      for (const event of events) text += writeOne(event, choice);
      return text === '' ? null : Buffer.from(text);
    },
    end: () => {
      begin('');
      return Buffer.from(`${choices.map((choice) => choice.end()).join('')}${usageChunk()}data: [DONE]\n\n`);
    },
  };
};

/** Answers of other vendors as chat completions (provider notes 2.3, 19.1). */
export const chatConversion: Conversion = { answer, stream, choices: true };
