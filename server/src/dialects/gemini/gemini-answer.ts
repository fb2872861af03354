import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import type { AssistantPart } from '../../conversation/conversation.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json } from '../../conversation/json.ts';
import { countOf, type Usage } from '../../conversation/usage.ts';
import type { AnswerFacts, EventWriter } from '../dialect.ts';

/** `finishReason` (provider notes 19.6): the vendor uses STOP for tool calls too. */
const reasons = {
  stop: 'STOP',
  stop_sequence: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
} as const satisfies Record<Finish, string>;

/** `usageMetadata`: thoughts are counted beside the candidates. */
const usageOf = (usage: Usage | null): Json => {
  const prompt = countOf(usage?.prompt);
  const completion = countOf(usage?.completion);
  const thoughts = Math.min(completion, countOf(usage?.parts?.reasoning));
  const cached = countOf(usage?.parts?.cacheRead);
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: completion - thoughts,
    totalTokenCount: countOf(usage?.total) || prompt + completion,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    ...(cached > 0 && { cachedContentTokenCount: cached }),
  };
};

const callOf = (id: string, name: string, given: string, signature: string | undefined): Json => {
  const args = parseExact(given === '' ? '{}' : given);
  return {
    functionCall: { ...(id !== '' && { id }), name, args: isObject(args) ? args : {} },
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
};

const partOf = (part: AssistantPart): readonly Json[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }];
    case 'reasoning':
      return part.text === '' ? [] : [{ text: part.text, thought: true }];
    case 'image':
      return part.source.kind === 'data'
        ? [{ inlineData: { mimeType: part.source.mime, data: part.source.base64 } }]
        : [{ fileData: { fileUri: part.source.url } }];
    case 'tool_call':
      return [callOf(part.id, part.name, part.arguments, part.signature)];
  }
};

interface ContentState {
  readonly parts: readonly Json[];
  /** Null: more follows. */
  readonly finish: Finish | null;
  readonly usage: Usage | null;
  readonly id: string;
}

const responseOf = ({ parts, finish, usage, id }: ContentState, { model, requestId }: AnswerFacts): Json => ({
  candidates: [
    { content: { role: 'model', parts }, ...(finish !== null && { finishReason: reasons[finish] }), index: 0 },
  ],
  ...(usage !== null && { usageMetadata: usageOf(usage) }),
  modelVersion: model,
  responseId: id === '' ? requestId : id,
});

/** A whole answer as the response of `generateContent`. */
export const contentAnswer = ({ id, parts, finish, usage }: Answer, facts: AnswerFacts): Buffer =>
  Buffer.from(JSON.stringify(responseOf({ id, parts: parts.flatMap(partOf), finish, usage }, facts)));

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly signature: string | undefined;
  text: string;
}

/** How the responses of a stream are separated. */
export interface ContentFraming {
  /** Before the first response, before each other one, and behind each. */
  readonly first: string;
  readonly next: string;
  readonly behind: string;
  /** Behind the last response. */
  readonly end: string;
}

/** Events, which end with their connection; or one list. */
export const contentFramings = {
  sse: { first: 'data: ', next: 'data: ', behind: '\r\n\r\n', end: '' },
  list: { first: '[', next: ',\r\n', behind: '', end: ']' },
} as const satisfies Record<string, ContentFraming>;

/** Writes one stream. Tool calls are written whole, in the last response. */
class ContentWriter implements EventWriter {
  private readonly facts: AnswerFacts;
  private readonly framing: ContentFraming;
  private readonly calls = new Map<number, OpenCall>();
  private id = '';
  private written = false;
  private usage: Usage | null = null;
  private finish: Finish = 'stop';

  constructor(facts: AnswerFacts, framing: ContentFraming) {
    this.facts = facts;
    this.framing = framing;
  }

  write(events: readonly StreamEvent[]): Buffer | null {
    const parts = events.flatMap((event) => this.partsOf(event));
    if (parts.length === 0) return null;
    return Buffer.from(this.framed({ parts, finish: null, usage: null, id: this.id }));
  }

  end(): Buffer {
    const parts = [...this.calls.values()].map(({ id, name, text, signature }) => callOf(id, name, text, signature));
    const { finish, usage, id } = this;
    return Buffer.from(this.framed({ parts, finish, usage, id }) + this.framing.end);
  }

  private framed(state: ContentState): string {
    const { first, next, behind } = this.framing;
    const begin = this.written ? next : first;
    this.written = true;
    return begin + JSON.stringify(responseOf(state, this.facts)) + behind;
  }

  private partsOf(event: StreamEvent): readonly Json[] {
    switch (event.kind) {
      case 'start':
        this.id = event.id;
        return [];
      case 'text':
      case 'refusal':
        return partOf({ kind: 'text', text: event.text });
      case 'reasoning':
        return partOf({ kind: 'reasoning', text: event.text, signature: '' });
      case 'image':
        return [{ inlineData: { mimeType: event.mime, data: event.base64 } }];
      case 'tool_start':
        this.calls.set(event.index, { id: event.id, name: event.name, signature: event.signature, text: '' });
        return [];
      case 'tool_arguments': {
        const call = this.calls.get(event.index);
        if (call !== undefined) call.text += event.text;
        return [];
      }
      case 'usage':
        this.usage = event.usage;
        return [];
      case 'finish':
        this.finish = event.finish;
        return [];
      case 'signature':
        return [];
    }
  }
}

/** Writes a stream as the responses of `streamGenerateContent`. */
export const contentStream =
  (framing: ContentFraming) =>
  (facts: AnswerFacts): EventWriter =>
    new ContentWriter(facts, framing);
