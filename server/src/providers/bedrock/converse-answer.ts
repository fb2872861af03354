import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import type { AssistantPart } from '../../conversation/conversation.ts';
import { isObject, type Json, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { countOf, type Usage } from '../../conversation/usage.ts';
import { badBody, reportedFailure } from '../failure.ts';
import { jsonBody, type JsonEvents } from '../json-events.ts';
import type { ReadStep, Refusal, RelayFailure } from '../provider.ts';

const finishes = new Map<string, Finish>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop_sequence'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
]);

const finishOf = (body: Json): Finish => finishes.get(textAt(body, 'stopReason')) ?? 'stop';

/** The input tokens do not include those read from and written to the cache. */
const usageIn = ({ usage, serviceTier }: Json): Usage | null => {
  if (!isObject(usage)) return null;
  const { inputTokens: input, cacheReadInputTokens: cacheRead, cacheWriteInputTokens: cacheWrite } = usage;
  const prompt = typeof input === 'number' ? input + countOf(cacheRead) + countOf(cacheWrite) : input;
  return {
    prompt,
    completion: usage['outputTokens'],
    total: usage['totalTokens'],
    parts: { cacheRead, cacheWrite },
    ...(isObject(serviceTier) && { serviceTier: serviceTier['type'] }),
  };
};

const partOf = (block: Json): readonly AssistantPart[] => {
  if (typeof block['text'] === 'string') return [{ kind: 'text', text: block['text'] }];
  if (isObject(block['toolUse'])) {
    const called = block['toolUse'];
    const argumentsText = JSON.stringify(called['input'] ?? {});
    return [
      { kind: 'tool_call', id: textAt(called, 'toolUseId'), name: textAt(called, 'name'), arguments: argumentsText },
    ];
  }
  if (!isObject(block['reasoningContent'])) return [];
  const redacted = textAt(block['reasoningContent'], 'redactedContent');
  if (redacted !== '') return [{ kind: 'reasoning', text: '', signature: redacted, redacted: true }];
  const thought = objectAt(block['reasoningContent'], 'reasoningText');
  return [{ kind: 'reasoning', text: textAt(thought, 'text'), signature: textAt(thought, 'signature') }];
};

/** Reads a whole answer of `Converse`. */
export const converseAnswer = (body: Buffer): Answer | Refusal => {
  const read = jsonBody(body, reportedFailure);
  if (read.kind === 'refusal') return read;
  const message = objectAt(read.members, 'output')['message'];
  if (!isObject(message)) return { kind: 'refusal', failure: badBody('the upstream response has no message') };
  const parts = objectsAt(message, 'content').flatMap(partOf);
  return { id: '', parts, finish: finishOf(read.members), usage: usageIn(read.members) };
};

/** Stateful: one answer, from `messageStart` to the `metadata` after its stop. */
export class ConverseEvents implements JsonEvents {
  readonly failureIn: (event: Json) => RelayFailure | null;
  /** The tool calls so far; the last one may be open. */
  private calls = 0;
  private open: { hasArguments: boolean } | null = null;

  constructor(failureIn: (event: Json) => RelayFailure | null) {
    this.failureIn = failureIn;
  }

  /** An answer without its last event is incomplete. */
  finished(): boolean {
    return false;
  }

  read(event: Json): ReadStep {
    const [[kind, members] = ['', {}]] = Object.entries(event);
    const payload = isObject(members) ? members : {};
    switch (kind) {
      case 'messageStart':
        return { events: [{ kind: 'start', id: '' }] };
      case 'contentBlockStart':
        return { events: this.start(objectAt(payload, 'start')['toolUse']) };
      case 'contentBlockDelta':
        return { events: this.piece(objectAt(payload, 'delta')) };
      case 'contentBlockStop':
        return { events: this.stop() };
      case 'messageStop':
        return { events: [{ kind: 'finish', finish: finishOf(payload) }] };
      case 'metadata': {
        const usage = usageIn(payload);
        return { events: usage === null ? [] : [{ kind: 'usage', usage }], done: true };
      }
      default:
        return { events: [] };
    }
  }

  private start(called: unknown): readonly StreamEvent[] {
    if (!isObject(called)) return [];
    this.open = { hasArguments: false };
    this.calls += 1;
    const [id, name] = [textAt(called, 'toolUseId'), textAt(called, 'name')];
    return [{ kind: 'tool_start', index: this.calls - 1, id, name }];
  }

  private piece(delta: Json): readonly StreamEvent[] {
    const text = textAt(delta, 'text');
    if (text !== '') return [{ kind: 'text', text }];
    if (isObject(delta['toolUse'])) return this.argumentsPiece(textAt(delta['toolUse'], 'input'));
    const thought = objectAt(delta, 'reasoningContent');
    const [thinking, signature] = [textAt(thought, 'text'), textAt(thought, 'signature')];
    const redacted = textAt(thought, 'redactedContent');
    if (thinking !== '') return [{ kind: 'reasoning', text: thinking }];
    if (signature !== '') return [{ kind: 'signature', signature }];
    return redacted === '' ? [] : [{ kind: 'signature', signature: redacted, redacted: true }];
  }

  private argumentsPiece(text: string): readonly StreamEvent[] {
    if (text === '') return [];
    if (this.open !== null) this.open.hasArguments = true;
    return [{ kind: 'tool_arguments', index: this.calls - 1, text }];
  }

  private stop(): readonly StreamEvent[] {
    const events = this.open === null || this.open.hasArguments ? [] : this.argumentsPiece('{}');
    this.open = null;
    return events;
  }
}
