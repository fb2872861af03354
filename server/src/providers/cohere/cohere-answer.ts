import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import { isObject, type Json, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import type { Usage } from '../../conversation/usage.ts';
import { badBody } from '../failure.ts';
import { jsonBody, jsonEvents, type JsonEvents } from '../json-events.ts';
import type { EventReader, ReadStep, Refusal, RelayFailure } from '../provider.ts';

const finishes = new Map<string, Finish>([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop_sequence'],
  ['MAX_TOKENS', 'length'],
  ['ERROR_LIMIT', 'length'],
  ['TOOL_CALL', 'tool_calls'],
  ['ERROR_TOXIC', 'content_filter'],
]);

/** The finish reasons of both API versions. */
export const cohereFinish = (reason: string): Finish => finishes.get(reason) ?? 'stop';

/** An answer with a success status may report a failure. */
export const cohereFailure = (body: Json): RelayFailure | null => {
  const reason = textAt(body, 'finish_reason') || textAt(objectAt(body, 'delta'), 'finish_reason');
  if (reason !== 'ERROR' && reason !== 'TIMEOUT') return null;
  const message = textAt(body, 'error') || textAt(objectAt(body, 'delta'), 'error');
  return badBody(message === '' ? `the upstream ended the response with ${reason}` : message);
};

/** The tokens of a call: the billed ones, or those that the model processed where only they are reported. */
export const cohereUsage = (reported: Json): Usage | null => {
  const tokens = isObject(reported['billed_units']) ? reported['billed_units'] : reported['tokens'];
  if (!isObject(tokens)) return null;
  const { input_tokens: prompt, output_tokens: completion } = tokens;
  return { prompt, completion, total: undefined, parts: { cacheRead: reported['cached_tokens'] } };
};

/** Reads a whole answer of `/v2/chat`. */
export const cohereAnswer = (body: Buffer): Answer | Refusal => {
  const read = jsonBody(body, cohereFailure);
  if (read.kind === 'refusal') return read;
  const { message } = read.members;
  if (!isObject(message)) return { kind: 'refusal', failure: badBody('the upstream response has no message') };
  const plan = textAt(message, 'tool_plan');
  const content = objectsAt(message, 'content');
  const thoughts = [plan, ...content.map((part) => textAt(part, 'thinking'))].filter((text) => text !== '');
  const texts = content.map((part) => textAt(part, 'text')).filter((text) => text !== '');
  const calls = objectsAt(message, 'tool_calls').map((call) => {
    const called = objectAt(call, 'function');
    const [id, name, argumentsText] = [textAt(call, 'id'), textAt(called, 'name'), textAt(called, 'arguments') || '{}'];
    return { kind: 'tool_call', id, name, arguments: argumentsText } as const;
  });
  return {
    id: textAt(read.members, 'id'),
    parts: [
      ...thoughts.map((text) => ({ kind: 'reasoning', text, signature: '' }) as const),
      ...texts.map((text) => ({ kind: 'text', text }) as const),
      ...calls,
    ],
    finish: cohereFinish(textAt(read.members, 'finish_reason')),
    usage: cohereUsage(objectAt(read.members, 'usage')),
  };
};

/** Stateful: one answer, from `message-start` to `message-end`. */
class EventsReader implements JsonEvents {
  readonly failureIn = cohereFailure;
  /** The tool calls of this answer; the last one is open until its end event. */
  private calls = 0;
  private hasArguments = true;

  /** An answer without its last event is incomplete. */
  finished(): boolean {
    return false;
  }

  read(event: Json): ReadStep {
    const delta = objectAt(event, 'delta');
    const message = objectAt(delta, 'message');
    switch (event['type']) {
      case 'message-start':
        return { events: [{ kind: 'start', id: textAt(event, 'id') }] };
      case 'content-start':
      case 'content-delta':
        return { events: this.content(objectAt(message, 'content')) };
      case 'tool-plan-delta':
        return { events: this.textPiece('reasoning', textAt(message, 'tool_plan')) };
      case 'tool-call-start':
        return { events: this.call(objectAt(message, 'tool_calls')) };
      case 'tool-call-delta':
        return { events: this.argumentsOf(objectAt(message, 'tool_calls')) };
      case 'tool-call-end':
        return { events: this.hasArguments ? [] : this.argumentsPiece('{}') };
      case 'message-end':
        return { events: this.end(delta), done: true };
      default:
        return { events: [] };
    }
  }

  private textPiece(kind: 'text' | 'reasoning', text: string): readonly StreamEvent[] {
    return text === '' ? [] : [{ kind, text }];
  }

  private content(content: Json): readonly StreamEvent[] {
    return [
      ...this.textPiece('reasoning', textAt(content, 'thinking')),
      ...this.textPiece('text', textAt(content, 'text')),
    ];
  }

  private call(call: Json): readonly StreamEvent[] {
    this.calls += 1;
    this.hasArguments = false;
    const name = textAt(objectAt(call, 'function'), 'name');
    const start: StreamEvent = { kind: 'tool_start', index: this.calls - 1, id: textAt(call, 'id'), name };
    return [start, ...this.argumentsOf(call)];
  }

  private argumentsOf(call: Json): readonly StreamEvent[] {
    const text = textAt(objectAt(call, 'function'), 'arguments');
    return text === '' ? [] : this.argumentsPiece(text);
  }

  private argumentsPiece(text: string): readonly StreamEvent[] {
    this.hasArguments = true;
    return [{ kind: 'tool_arguments', index: this.calls - 1, text }];
  }

  private end(delta: Json): readonly StreamEvent[] {
    const usage = cohereUsage(objectAt(delta, 'usage'));
    const finish = cohereFinish(textAt(delta, 'finish_reason'));
    return [...(usage === null ? [] : [{ kind: 'usage', usage } as const]), { kind: 'finish', finish }];
  }
}

/** Reads the events of a streamed answer of `/v2/chat`. */
export const cohereEvents = (): EventReader => jsonEvents(new EventsReader());
