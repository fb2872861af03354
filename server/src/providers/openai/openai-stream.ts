import { isObject, type Json, objectAt, parseJson } from '../../conversation/json.ts';
import { readFailure, reportedFailure } from '../failure.ts';
import { choicesOf, outputOf, usageOf } from './openai-output.ts';
import { withOpenAiReasons } from './finish-reasons.ts';
import type { ProviderCall, RelayFailure, StreamStep, StreamTranslator } from '../provider.ts';

/** Where a vendor's stream differs from OpenAI's. */
export interface StreamTraits {
  /** The usage figures are placeholders. */
  readonly usageIsDummy?: true;
  /** Drops chunks with neither choices nor usage: they carry filter results that clients do not expect. */
  readonly dropsEmptyChunks?: true;
  /** The failure that a chunk reports in the vendor's own format. */
  readonly failureIn?: (chunk: Readonly<Record<string, unknown>>) => RelayFailure | null;
}

const doneEvent = Buffer.from('data: [DONE]\n\n');

const nothing: StreamStep = { forward: 'same', output: '' };
const noObject: StreamStep = {
  forward: 'none',
  output: '',
  failure: readFailure(502, 'the upstream sent an event that is not a JSON object'),
};
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

const chatFrame = { object: 'chat.completion.chunk', nothingMore: { delta: {} } } as const;
const textFrame = { object: 'text_completion', nothingMore: { text: '' } } as const;

const usageFrom = ({ prompt, completion }: { readonly prompt: number; readonly completion: number }) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A choice that names its role at most. */
const isOpening = (choice: Json): boolean =>
  isBlank(choice['finish_reason']) &&
  isBlank(choice['message']) &&
  Object.entries(objectAt(choice, 'delta')).every(([name, value]) => name === 'role' || isBlank(value));

/** Tells for one chunk after another whether it precedes all content. */
const createOpeningCheck = () => {
  let hasContent = false;
  return (choices: readonly Json[], output: string): boolean => {
    hasContent ||= output !== '' || !choices.every(isOpening);
    return !hasContent;
  };
};

const forwarded = (chunk: Json, data: string): 'same' | Buffer => {
  const text = withOpenAiReasons(chunk, () => data);
  return text === null ? 'same' : Buffer.from(`data: ${text}\n\n`);
};

/** OpenAI's stream of chunks: forwards events unchanged but for foreign finish reasons, and reads usage and output from them. */
export const openAiStream = (call: ProviderCall, traits: StreamTraits = {}): StreamTranslator => {
  const open = new Set<unknown>();
  const ended = new Set<unknown>();
  const { object, nothingMore } = call.format === 'openai-completions' ? textFrame : chatFrame;
  const precedesContent = createOpeningCheck();
  let head = { id: '', object, created: 0, model: call.model };

  const note = (chunk: Readonly<Record<string, unknown>>) => {
    const { id, created, model } = chunk;
    if (typeof id === 'string' && id !== '' && typeof created === 'number') {
      head = { ...head, id, created, model: typeof model === 'string' ? model : head.model };
    }
    for (const choice of choicesOf(chunk)) {
      const index = choice['index'] ?? 0;
      if (choice['finish_reason'] === null || choice['finish_reason'] === undefined) open.add(index);
      else ended.add(index);
    }
  };
  const read = (chunk: Readonly<Record<string, unknown>>, data: string): StreamStep => {
    const failure = reportedFailure(chunk) ?? traits.failureIn?.(chunk) ?? null;
    if (failure !== null) return { forward: 'none', output: '', failure };
    note(chunk);
    const choices = choicesOf(chunk);
    const usage = traits.usageIsDummy ? null : usageOf(chunk);
    // A repetition of the whole message at the end of a stream (MiniMax) is not new output.
    if (choices.some((choice) => isObject(choice['message']) && choice['delta'] === undefined)) {
      return { forward: 'none', output: '', ...(usage && { usage }) };
    }
    const empty = choices.length === 0;
    const withheld = empty && (usage === null ? traits.dropsEmptyChunks === true : !call.includeUsage);
    const output = outputOf(chunk);
    return {
      forward: withheld ? 'none' : forwarded(chunk, data),
      output,
      ...(usage && { usage }),
      ...(precedesContent(choices, output) && { opening: true }),
    };
  };

  return {
    terminator: () => doneEvent,
    event: (data) => {
      if (data === null) return nothing;
      if (data.trim() === '[DONE]') return { forward: 'same', output: '', done: true };
      const chunk = parseJson(data);
      if (isObject(chunk)) return read(chunk, data);
      return noObject;
    },
    finished: () => ended.size > 0 && [...open].every((index) => ended.has(index)),
    lengthEnd: (usage) => {
      const indexes = [...open].filter((index) => !ended.has(index));
      const choices = (indexes.length === 0 ? [0] : indexes).map((index) => ({
        index,
        ...nothingMore,
        finish_reason: 'length',
      }));
      const last = usage !== null && call.includeUsage ? event({ ...head, choices: [], usage: usageFrom(usage) }) : '';
      return Buffer.from(event({ ...head, choices }) + last);
    },
  };
};
