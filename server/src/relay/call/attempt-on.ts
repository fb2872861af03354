import type { RelayCall, Translation } from '../../providers/provider.ts';
import { type AttemptResult, callOn, type FailedAttempt, tryChannel } from './attempt.ts';
import type { Job, RelayTools } from './job.ts';
import { RelayError } from '../client/relay-error.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';

export const unsupported = ({ type, provider }: RoutedChannel): RelayError =>
  new RelayError(provider === null ? 'invalid_api_type' : 'unsupported_endpoint', { type });

export const isFailed = (result: { readonly kind: string }): result is FailedAttempt => result.kind === 'failed';

/** A channel and what the balance lets it put out. */
export interface Trial {
  readonly channel: RoutedChannel;
  readonly outputCap: number | null;
}

/** What every attempt that went well tells of its answer. */
export interface Succeeded {
  readonly kind: string;
  readonly answer: { readonly status: number; readonly headMs: number };
}

/** Tries a channel in whatever way `send` does, and notes what became of it. */
export const tryOn = async <T extends Succeeded>(
  tools: RelayTools,
  job: Job,
  { channel, outputCap }: Trial,
  send: (translation: Translation, call: RelayCall) => Promise<T | FailedAttempt>,
): Promise<T | FailedAttempt> => {
  const { provider } = channel;
  const translationOf = provider === null ? null : tools.translations.of(job.dialect, provider);
  if (translationOf === null) throw unsupported(channel);
  const { gateway } = tools.settings();
  const started = tools.clock.now();
  tools.rests.took(channel);
  const { requestId, dialect, inbound, contentType, accept, headers, path, query } = job;
  const call = callOn({
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
    keep: (id, value) => tools.kept.keep(job.access.payer.userId, id, value),
  });
  const result = await send(translationOf(call), call);
  const failed = isFailed(result) ? result : null;
  const { status, headMs } = isFailed(result) ? { status: result.status, headMs: 0 } : result.answer;
  const ms = Math.max(0, Math.round(tools.clock.now() - started));
  job.attempts.push({ channel: channel.id, status, ms });
  const { model } = inbound;
  if (failed === null) tools.rests.answered(channel, model);
  else tools.rests.failed(channel, model, failed.failure, failed.retryAfter);
  const spare = channel.lanes.some((lane) => lane !== channel && tools.rests.of(lane, model) === null);
  tools.watch.attempted({ channel, model, requestId, headMs, ms, failed, spare, test: false });
  return result;
};

/** Tries a channel with one request, and notes what became of it. Rejects only when the client went away. */
export const attemptOn = (tools: RelayTools, job: Job, trial: Trial): Promise<AttemptResult> => {
  const { upstream, limits, supplies } = tools;
  const { rest, client } = job;
  const { channel } = trial;
  return tryOn(tools, job, trial, (translation, call) =>
    tryChannel({ upstream, limits, supplies, channel, translation, call, rest, client }),
  );
};
