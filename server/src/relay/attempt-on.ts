import { type AttemptResult, callOn, tryChannel } from './attempt.ts';
import type { Job, RelayTools } from './job.ts';
import { RelayError } from './relay-error.ts';
import type { RoutedChannel } from './routed-channel.ts';

export const unsupported = ({ type, provider }: RoutedChannel): RelayError =>
  new RelayError(provider === null ? 'invalid_api_type' : 'unsupported_endpoint', { type });

/** Tries a channel, and notes what became of it. Rejects only when the client went away. */
export const attemptOn = async (
  tools: RelayTools,
  job: Job,
  channel: RoutedChannel,
  outputCap: number | null,
): Promise<AttemptResult> => {
  const { provider } = channel;
  const translationOf = provider === null ? null : tools.translations.of(job.dialect, provider);
  if (translationOf === null) throw unsupported(channel);
  const { gateway } = tools.settings();
  const { upstream, limits, supplies } = tools;
  const started = tools.clock.now();
  tools.rests.took(channel);
  const { requestId, dialect, inbound, contentType, accept, headers, path, query, client, rest } = job;
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
  const translation = translationOf(call);
  const result = await tryChannel({ upstream, limits, supplies, channel, translation, call, rest, client });
  const status = result.kind === 'failed' ? result.status : result.answer.status;
  const ms = Math.max(0, Math.round(tools.clock.now() - started));
  job.attempts.push({ channel: channel.id, status, ms });
  const failed = result.kind === 'failed' ? result : null;
  const { model } = inbound;
  if (failed === null) tools.rests.answered(channel, model);
  else tools.rests.failed(channel, model, failed.failure, failed.retryAfter);
  const headMs = result.kind === 'failed' ? 0 : result.answer.headMs;
  const spare = channel.lanes.some((lane) => lane !== channel && tools.rests.of(lane, model) === null);
  tools.watch.attempted({ channel, model, requestId, headMs, ms, failed, spare, test: false });
  return result;
};
