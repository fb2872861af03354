import type { StreamEvent } from '../../conversation/answer.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, objectAt, textAt } from '../../conversation/json.ts';
import { badBody, reportedFailure } from '../failure.ts';
import { CallIndexes } from './call-indexes.ts';
import { argumentsText, callsIn, finishOf, imagesOf, reasoningText, signatureIn } from './openai-chat-answer.ts';
import { answerIn, choicesOf, usageOf } from './openai-output.ts';
import type { StreamTraits } from './openai-stream.ts';
import type { EventReader, ReadStep } from '../provider.ts';

const nothing: ReadStep = { events: [] };

/** Stateful: one stream of chunks. */
class ChunkReader implements EventReader {
  private started = false;
  private isFinished = false;
  /** Of the last chunk that names one. */
  private tier: unknown;
  private readonly calls = new CallIndexes();
  private readonly traits: StreamTraits;

  constructor(traits: StreamTraits) {
    this.traits = traits;
  }

  event(data: string | null): ReadStep {
    if (data === null) return nothing;
    if (data.trim() === '[DONE]') return { events: [], done: true };
    const chunk = parseExact(data);
    if (!isObject(chunk))
      return { events: [], failure: badBody('the upstream sent an event that is not a JSON object') };
    const failure = this.traits.failureIn?.(chunk) ?? reportedFailure(chunk);
    return failure === null ? { events: this.read(chunk) } : { events: [], failure };
  }

  finished(): boolean {
    return this.isFinished;
  }

  private read(chunk: Json): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    const choice = choicesOf(chunk)[0];
    if (!this.started && choice !== undefined) {
      this.started = true;
      events.push({ kind: 'start', id: textAt(chunk, 'id') });
    }
    // A repetition of the whole message at the end of a stream (MiniMax) is not new output.
    if (choice !== undefined && isObject(choice['delta'])) this.readDelta(choice['delta'], events);
    if (typeof chunk['service_tier'] === 'string') this.tier = chunk['service_tier'];
    const usage = this.traits.usageIsDummy ? null : usageOf(chunk, this.tier);
    if (usage !== null) events.push({ kind: 'usage', usage });
    const reason = choice?.['finish_reason'];
    if (typeof reason === 'string' && reason !== '' && !this.isFinished) {
      this.isFinished = true;
      events.push({ kind: 'finish', finish: finishOf(reason, this.calls.count > 0) });
    }
    return events;
  }

  private readDelta(delta: Json, events: StreamEvent[]): void {
    const reasoning = reasoningText(delta);
    if (reasoning !== '') events.push({ kind: 'reasoning', text: reasoning });
    const text = answerIn(delta['content']);
    if (text !== '') events.push({ kind: 'text', text });
    const refusal = textAt(delta, 'refusal');
    if (refusal !== '') events.push({ kind: 'refusal', text: refusal });
    for (const { source } of imagesOf(delta))
      if (source.kind === 'data') events.push({ kind: 'image', mime: source.mime, base64: source.base64 });
    for (const call of callsIn(delta)) this.readCall(call, events);
    const legacy = delta['function_call'];
    if (isObject(legacy)) this.readCall({ index: 0, function: legacy }, events);
  }

  private readCall(call: Json, events: StreamEvent[]): void {
    const called = objectAt(call, 'function');
    const { index, isNew } = this.calls.of(call);
    if (isNew) {
      const id = textAt(call, 'id') || `call_${index}`;
      events.push({ kind: 'tool_start', index, id, name: textAt(called, 'name'), ...signatureIn(call) });
    }
    const text = argumentsText(called);
    if (text !== '') events.push({ kind: 'tool_arguments', index, text });
  }
}

/** Reads a stream of chat completion chunks. */
export const chatEvents = (traits: StreamTraits): EventReader => new ChunkReader(traits);
