import { firstSlice } from '../../billing/hold.ts';
import type { Tokens } from '../../billing/price/price.ts';
import { type Json, numberAt, objectAt, textAt } from '../../conversation/json.ts';
import type { PromptSize } from './prompt-meter.ts';

interface Requested {
  /** The client's name of its event; empty: none. */
  readonly eventId: string;
  readonly tokens: Tokens;
  /** On the monotonic clock: from then on no answer is expected. */
  readonly until: number;
}

/** An upstream begins an answer, or refuses it, long before that. */
const expectedMs = 60_000;

/** Output tokens that are held for an answer at first; its deltas extend the hold. */
const sliceOf = (request: Json): number => {
  const response = objectAt(request, 'response');
  const limit = numberAt(response, 'max_output_tokens') ?? numberAt(response, 'max_response_output_tokens');
  return Math.max(1, Math.min(firstSlice, limit ?? firstSlice));
};

/** What an answer to a request may cost before its first delta. Sound is the dearest output. */
export const requestedTokens = (request: Json, { prompt, audioPrompt }: PromptSize): Tokens => {
  const completion = sliceOf(request);
  return { prompt, completion, parts: { audio_prompt: audioPrompt, audio_completion: completion } };
};

/** Whether an error of the upstream refuses the request of an answer, where it names no event. */
const refusesAnswer = (error: Json): boolean =>
  textAt(error, 'code') === 'conversation_already_has_active_response' || textAt(error, 'param').startsWith('response');

/** Answers that the client has asked for and the upstream has not begun, the oldest first. */
export class RequestedAnswers {
  private waiting: readonly Requested[] = [];

  add(request: Json, tokens: Tokens): void {
    const until = performance.now() + expectedMs;
    this.waiting = [...this.current(), { eventId: textAt(request, 'event_id'), tokens, until }];
  }

  count(): number {
    return this.current().length;
  }

  tokens(): readonly Tokens[] {
    return this.current().map(({ tokens }) => tokens);
  }

  /** Milliseconds until the oldest is no longer expected. */
  expectedMs(): number {
    const [oldest] = this.current();
    return oldest === undefined ? expectedMs : Math.max(1, Math.ceil(oldest.until - performance.now()));
  }

  /** The upstream began one. */
  begin(): void {
    this.waiting = this.current().slice(1);
  }

  /** The upstream reports an error. */
  fail(error: Json): void {
    const eventId = textAt(error, 'event_id');
    const fits = (one: Requested) => (eventId === '' ? refusesAnswer(error) : one.eventId === eventId);
    const index = this.current().findIndex(fits);
    if (index >= 0) this.waiting = this.waiting.filter((_, at) => at !== index);
  }

  private current(): readonly Requested[] {
    const now = performance.now();
    this.waiting = this.waiting.filter(({ until }) => until > now);
    return this.waiting;
  }
}
