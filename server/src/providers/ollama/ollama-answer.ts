import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import type { ToolCallPart } from '../../conversation/conversation.ts';
import { isObject, type Json, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import type { Usage } from '../../conversation/usage.ts';
import { badBody, reportedFailure } from '../failure.ts';
import { jsonBody, jsonEvents, type JsonEvents } from '../json-events.ts';
import type { EventReader, ReadStep, Refusal, ProviderCall } from '../provider.ts';

/** The vendor does not report the count of a fully cached prompt: such a report does not count. */
const usageOf = (body: Json): Usage => {
  const { prompt_eval_count: prompt, eval_count: completion } = body;
  return { prompt, completion, total: undefined };
};

const finishOf = (body: Json, called: boolean): Finish => {
  if (textAt(body, 'done_reason') === 'length') return 'length';
  return called ? 'tool_calls' : 'stop';
};

const callsOf = (message: Json, { requestId }: ProviderCall, before: number): readonly ToolCallPart[] =>
  objectsAt(message, 'tool_calls').map((call, index) => {
    const called = objectAt(call, 'function');
    const id = textAt(call, 'id');
    return {
      kind: 'tool_call',
      id: id === '' ? `call_${requestId}_${before + index}` : id,
      name: textAt(called, 'name'),
      arguments: JSON.stringify(objectAt(called, 'arguments')),
    };
  });

/** Reads a whole answer of `/api/chat`. */
export const ollamaAnswer = (body: Buffer, call: ProviderCall): Answer | Refusal => {
  const read = jsonBody(body, reportedFailure);
  if (read.kind === 'refusal') return read;
  const parsed = read.members;
  if (!isObject(parsed['message']))
    return { kind: 'refusal', failure: badBody('the upstream response has no message') };
  const message = parsed['message'];
  const thinking = textAt(message, 'thinking');
  const text = textAt(message, 'content');
  const calls = callsOf(message, call, 0);
  return {
    id: '',
    parts: [
      ...(thinking === '' ? [] : [{ kind: 'reasoning' as const, text: thinking, signature: '' }]),
      ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
      ...calls,
    ],
    finish: finishOf(parsed, calls.length > 0),
    usage: usageOf(parsed),
  };
};

/** Stateful: one answer, from its first line to its last. */
class LineReader implements JsonEvents {
  readonly failureIn = reportedFailure;
  private started = false;
  private calls = 0;
  private readonly call: ProviderCall;

  constructor(call: ProviderCall) {
    this.call = call;
  }

  /** The last line is marked as such. */
  finished(): boolean {
    return false;
  }

  read(line: Json): ReadStep {
    const events: StreamEvent[] = this.started ? [] : [{ kind: 'start', id: '' }];
    this.started = true;
    const message = objectAt(line, 'message');
    const thinking = textAt(message, 'thinking');
    if (thinking !== '') events.push({ kind: 'reasoning', text: thinking });
    const text = textAt(message, 'content');
    if (text !== '') events.push({ kind: 'text', text });
    for (const { id, name, arguments: argumentsText } of callsOf(message, this.call, this.calls)) {
      const index = this.calls;
      this.calls += 1;
      events.push({ kind: 'tool_start', index, id, name }, { kind: 'tool_arguments', index, text: argumentsText });
    }
    if (line['done'] !== true) return { events };
    events.push({ kind: 'usage', usage: usageOf(line) }, { kind: 'finish', finish: finishOf(line, this.calls > 0) });
    return { events, done: true };
  }
}

/** Reads the lines of a streamed answer. */
export const ollamaEvents = (call: ProviderCall): EventReader => jsonEvents(new LineReader(call));
