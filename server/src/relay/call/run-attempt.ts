import type { ProviderCall, Translation } from '../../providers/provider.ts';
import { RelayError } from '../client/relay-error.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import { tryChannel } from './attempt.ts';
import { type AttemptResult, type FailedAttempt, isFailed } from './attempt-result.ts';
import { type AttemptTarget, toProviderCall } from './provider-call.ts';
import { withoutQuotedRefusal } from './quoted-refusal.ts';
import type { RelayedCall } from './relayed-call.ts';

export const unsupported = ({ type, provider }: RoutedChannel): RelayError =>
  new RelayError(provider === null ? 'invalid_api_type' : 'unsupported_endpoint', { type });

/** What every successful attempt reports of its answer. */
export interface Succeeded {
  readonly kind: string;
  readonly answer: { readonly status: number; readonly headMs: number };
}

/**
 * Tries a channel by `send`, and reports the result to the circuit breaker, the observer and the log's detail. A stream is
 * judged at its end: one that breaks off is no success of its channel.
 */
export const runAttempt = async <T extends Succeeded>(
  call: RelayedCall,
  target: AttemptTarget,
  send: (translation: Translation, providerCall: ProviderCall) => Promise<T | FailedAttempt>,
): Promise<T | FailedAttempt> => {
  const { context, requestId } = call;
  const { breaker, clock } = context;
  const { channel } = target;
  const { provider } = channel;
  const translationOf = provider === null ? null : context.translations.of(call.dialect, provider);
  if (translationOf === null) throw unsupported(channel);
  const started = clock.now();
  breaker.onAttempt(channel);
  const providerCall = toProviderCall(call, target, started);
  const sent = await send(translationOf(providerCall), providerCall);
  const result = isFailed(sent) ? { ...sent, failure: withoutQuotedRefusal(sent.failure, call) } : sent;
  const failed = isFailed(result) ? result : null;
  const { status, headMs } = isFailed(result) ? { status: result.status, headMs: 0 } : result.answer;
  const ms = Math.max(0, Math.round(clock.now() - started));
  call.attempts.push({ channel: channel.id, status, ms });
  const { model } = call.inbound;
  if (result.kind === 'stream') return result;
  if (failed === null) breaker.onSuccess(channel, model);
  else breaker.onFailure(channel, model, failed.failure, failed.retryAfter);
  const hasHealthySibling = channel.channelKeys.some(
    (key) => key !== channel && breaker.coolDownOf(key, model) === null,
  );
  context.observer.onAttempt({ channel, model, requestId, headMs, ms, failed, hasHealthySibling, test: false });
  return result;
};

/** Tries a channel with one HTTP request. Rejects only when the client disconnected or there is no memory left. */
export const attemptRequest = (call: RelayedCall, target: AttemptTarget): Promise<AttemptResult> => {
  const { upstream, limits, prerequisites } = call.context;
  const { rest, client, memory } = call;
  const { channel } = target;
  const fixed = { upstream, limits, prerequisites, channel, rest, client, memory, received: call.inbound.bytes };
  return runAttempt(call, target, (translation, providerCall) =>
    tryChannel({ ...fixed, translation, call: providerCall }),
  );
};
