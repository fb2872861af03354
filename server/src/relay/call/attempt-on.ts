import type { ProviderCall, Translation } from '../../providers/provider.ts';
import { type AttemptResult, callOn, type FailedAttempt, tryChannel } from './attempt.ts';
import type { RelayContext } from './relay-context.ts';
import type { RelayedCall } from './relayed-call.ts';
import { RelayError } from '../client/relay-error.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';

export const unsupported = ({ type, provider }: RoutedChannel): RelayError =>
  new RelayError(provider === null ? 'invalid_api_type' : 'unsupported_endpoint', { type });

export const isFailed = (result: { readonly kind: string }): result is FailedAttempt => result.kind === 'failed';

/** A channel and what the balance lets it put out. */
export interface AttemptTarget {
  readonly channel: RoutedChannel;
  readonly outputCap: number | null;
}

/** What every attempt that went well tells of its answer. */
export interface Succeeded {
  readonly kind: string;
  readonly answer: { readonly status: number; readonly headMs: number };
}

/** Tries a channel in whatever way `send` does, and notes what became of it. */
export const runAttempt = async <T extends Succeeded>(
  context: RelayContext,
  call: RelayedCall,
  { channel, outputCap }: AttemptTarget,
  send: (translation: Translation, providerCall: ProviderCall) => Promise<T | FailedAttempt>,
): Promise<T | FailedAttempt> => {
  const { provider } = channel;
  const translationOf = provider === null ? null : context.translations.of(call.dialect, provider);
  if (translationOf === null) throw unsupported(channel);
  const { gateway } = context.settings();
  const started = context.clock.now();
  context.breaker.onAttempt(channel);
  const { requestId, dialect, inbound, contentType, accept, headers, path, query } = call;
  const providerCall = callOn({
    requestId,
    dialect,
    inbound,
    channel,
    contentType,
    accept,
    headers,
    path,
    query,
    now: started,
    gateway,
    outputCap,
    keep: (id, value) => context.responseItems.keep(call.access.payer.userId, id, value),
  });
  const result = await send(translationOf(providerCall), providerCall);
  const failed = isFailed(result) ? result : null;
  const { status, headMs } = isFailed(result) ? { status: result.status, headMs: 0 } : result.answer;
  const ms = Math.max(0, Math.round(context.clock.now() - started));
  call.attempts.push({ channel: channel.id, status, ms });
  const { model } = inbound;
  if (failed === null) context.breaker.onSuccess(channel, model);
  else context.breaker.onFailure(channel, model, failed.failure, failed.retryAfter);
  const hasHealthySibling = channel.channelKeys.some(
    (key) => key !== channel && context.breaker.coolDownOf(key, model) === null,
  );
  context.observer.onAttempt({ channel, model, requestId, headMs, ms, failed, hasHealthySibling, test: false });
  return result;
};

/** Tries a channel with one request, and notes what became of it. Rejects only when the client went away. */
export const attemptOn = (context: RelayContext, call: RelayedCall, target: AttemptTarget): Promise<AttemptResult> => {
  const { upstream, limits, prerequisites } = context;
  const { rest, client } = call;
  const { channel } = target;
  return runAttempt(context, call, target, (translation, providerCall) =>
    tryChannel({ upstream, limits, prerequisites, channel, translation, call: providerCall, rest, client }),
  );
};
