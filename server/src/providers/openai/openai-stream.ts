import { isObject, type Json, objectAt, parseJson } from '../../conversation/json.ts';
import { readFailure, reportedFailure } from '../failure.ts';
import { OpenAiForm } from './answer-form.ts';
import { choicesOf, outputOf, usageOf } from './openai-output.ts';
import type { CountedUsage, ProviderCall, RelayFailure, StreamStep, StreamTranslator } from '../provider.ts';

/** Where a vendor's stream differs from OpenAI's. */
export interface StreamTraits {
  /** The usage figures are placeholders. */
  readonly usageIsDummy?: true;
  /** Drops chunks with neither choices nor usage: they carry filter results that clients do not expect. */
  readonly dropsEmptyChunks?: true;
  /** The vendor's answers have an empty id and model. */
  readonly isNameless?: true;
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

/** OpenAI's form of a usage that was counted here. */
export const usageFrom = ({ prompt, completion }: CountedUsage) => ({
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

/** Gives a client that requested usage what no chunk of the upstream's gives. Stateful: one stream. */
class UsageChunk {
  /** The client has a usage. */
  isGiven = false;
  /** Usage of the upstream's where no client of OpenAI's looks for it. */
  hidden: unknown = null;
  private readonly call: ProviderCall;

  constructor(call: ProviderCall) {
    this.call = call;
  }

  /** Null: nothing is to be given. */
  of(usage: unknown, head: object): Buffer | null {
    if (!this.call.includeUsage || this.isGiven || !isObject(usage)) return null;
    this.isGiven = true;
    return Buffer.from(event({ ...head, choices: [], usage }));
  }

  /** The last event, behind what was hidden. */
  behindHidden(head: object): Buffer {
    const last = this.of(this.hidden, head);
    return last === null ? doneEvent : Buffer.concat([last, doneEvent]);
  }
}

/** Tells for one chunk after another whether it precedes all content. */
const createOpeningCheck = () => {
  let hasContent = false;
  return (choices: readonly Json[], output: string): boolean => {
    hasContent ||= output !== '' || !choices.every(isOpening);
    return !hasContent;
  };
};

/** What the chunks of one stream have in common, and which of its choices have ended. */
class StreamChoices {
  head: Readonly<Record<'id' | 'object' | 'model', string>> & { readonly created: number };
  /** Of the last chunk that names one. */
  tier: unknown;
  /** Whether each has had a finish reason, by its index. */
  private readonly ended = new Map<unknown, boolean>();

  constructor(object: string, model: string) {
    this.head = { id: '', object, created: 0, model };
  }

  note(chunk: Json, choices: readonly Json[]): void {
    const { id, created, model, service_tier: tier } = chunk;
    if (typeof tier === 'string') this.tier = tier;
    if (typeof id === 'string' && id !== '' && typeof created === 'number') {
      this.head = { ...this.head, id, created, model: typeof model === 'string' ? model : this.head.model };
    }
    for (const choice of choices) {
      const index = choice['index'] ?? 0;
      const ends = choice['finish_reason'] !== null && choice['finish_reason'] !== undefined;
      if (ends || !this.ended.has(index)) this.ended.set(index, ends);
    }
  }

  haveEnded(): boolean {
    return this.ended.size > 0 && this.unfinished().length === 0;
  }

  /** Those without a finish reason; at least one. */
  unended(): readonly unknown[] {
    const indexes = this.unfinished();
    return indexes.length === 0 ? [0] : indexes;
  }

  private unfinished(): readonly unknown[] {
    return [...this.ended].filter(([, ended]) => !ended).map(([index]) => index);
  }
}

/** OpenAI's stream of chunks: forwards events unchanged but for foreign finish reasons, and reads usage and output from them. */
export const openAiStream = (call: ProviderCall, traits: StreamTraits = {}): StreamTranslator => {
  const { object, nothingMore } = call.format === 'openai-completions' ? textFrame : chatFrame;
  const state = new StreamChoices(object, call.model);
  const precedesContent = createOpeningCheck();
  const usageChunk = new UsageChunk(call);
  const form = new OpenAiForm(call, traits.isNameless);
  const forwarded = (chunk: Json, data: string): 'same' | Buffer => {
    const text = form.of(chunk, () => data);
    return text === null ? 'same' : Buffer.from(`data: ${text}\n\n`);
  };
  const end = () => usageChunk.behindHidden(state.head);
  const read = (chunk: Readonly<Record<string, unknown>>, data: string): StreamStep => {
    const failure = traits.failureIn?.(chunk) ?? reportedFailure(chunk);
    if (failure !== null) return { forward: 'none', output: '', failure };
    const choices = choicesOf(chunk);
    state.note(chunk, choices);
    const usage = traits.usageIsDummy ? null : usageOf(chunk, state.tier);
    // A repetition of the whole message at the end of a stream (MiniMax) is not new output.
    if (choices.some((choice) => isObject(choice['message']) && choice['delta'] === undefined)) {
      const forward = usageChunk.of(chunk['usage'], state.head) ?? 'none';
      return { forward, output: '', ...(usage && { usage }) };
    }
    if (isObject(chunk['usage'])) usageChunk.isGiven = true;
    else if (usage !== null) usageChunk.hidden = choices[0]?.['usage'];
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
    terminator: end,
    event: (data) => {
      if (data === null) return nothing;
      if (data.trim() === '[DONE]')
        return { forward: usageChunk.hidden === null ? 'same' : end(), output: '', done: true };
      const chunk = parseJson(data);
      if (isObject(chunk)) return read(chunk, data);
      return noObject;
    },
    counted: (usage) => usageChunk.of(usageFrom(usage), state.head),
    finished: () => state.haveEnded(),
    lengthEnd: (usage) => {
      const choices = state.unended().map((index) => ({ index, ...nothingMore, finish_reason: 'length' }));
      const last = usage === null ? null : usageChunk.of(usageFrom(usage), state.head);
      return Buffer.concat([Buffer.from(event({ ...state.head, choices })), last ?? Buffer.alloc(0)]);
    },
  };
};
