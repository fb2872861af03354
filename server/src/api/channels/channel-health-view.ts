import {
  type ChannelActivity,
  type ChannelErrorKind,
  channelErrorKinds,
  type ChannelHealth,
} from '@weir/contract/channel-health';
import {
  type ChannelAttempts,
  listChannelFailures,
  readChannelAttempts,
  slotSeconds,
  sumAttemptsByChannel,
} from '../../store/channels/channel-health.ts';
import { listChannelKeys, listChannelModels, sumUseByChannel } from '../../store/channels/channel-use.ts';
import type { ChannelRow } from '../../store/channels/channels.ts';
import type { Database } from '../../store/database.ts';
import { quantile } from '../../store/channels/latency-bands.ts';

const hourSeconds = 3600;
const slotsPerHour = hourSeconds / slotSeconds;
const dayHours = 24;
const failuresShown = 20;
const usesShown = 10;

const isKind = (outcome: string): outcome is ChannelErrorKind => channelErrorKinds.some((kind) => kind === outcome);
const kindOf = (outcome: string): ChannelErrorKind => (isKind(outcome) ? outcome : 'server');

const countOf = (rows: readonly ChannelAttempts[]): number => rows.reduce((sum, { count }) => sum + count, 0);

/** Outcomes of attempts. Where the request itself was at fault, it does not count against the channel. */
const sumAttempts = (rows: readonly ChannelAttempts[]): ChannelHealth['hour'] => {
  const succeeded = rows.filter(({ outcome }) => outcome === 'ok');
  const failed = rows.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'request');
  const times = new Map<number, number>();
  for (const { band, count } of succeeded) times.set(band, (times.get(band) ?? 0) + count);
  return {
    succeeded: countOf(succeeded),
    failed: countOf(failed),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  };
};

const sumErrors = (rows: readonly ChannelAttempts[]): ChannelHealth['errors'] => {
  const counts = new Map<ChannelErrorKind, number>();
  for (const { outcome, count } of rows)
    if (outcome !== 'ok') counts.set(kindOf(outcome), (counts.get(kindOf(outcome)) ?? 0) + count);
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((one, other) => other.count - one.count);
};

/** The health of a channel out of what all nodes have stored. */
export const readHealth = async (
  db: Database,
  { channel, nowSeconds }: { readonly channel: ChannelRow; readonly nowSeconds: number },
): Promise<ChannelHealth> => {
  const { id: channelId, status_reason } = channel;
  const slot = Math.floor(nowSeconds / slotSeconds);
  const fromHour = Math.floor(nowSeconds / hourSeconds) - dayHours + 1;
  const fromSlot = fromHour * slotsPerHour;
  const use = { channelId, fromHour, limit: usesShown };
  const [attempts, failures, models, keys] = await Promise.all([
    readChannelAttempts(db, { channelId, fromSlot }),
    listChannelFailures(db, { channelId, limit: failuresShown }),
    listChannelModels(db, use),
    listChannelKeys(db, use),
  ]);
  const within = (first: number, before: number) => attempts.filter((row) => row.slot >= first && row.slot < before);
  return {
    status_reason,
    hour: sumAttempts(within(slot - slotsPerHour + 1, slot + 1)),
    day: sumAttempts(attempts),
    hours: Array.from({ length: dayHours }, (_, hour) => {
      const first = fromSlot + hour * slotsPerHour;
      return { at: first * slotSeconds, ...sumAttempts(within(first, first + slotsPerHour)) };
    }),
    errors: sumErrors(attempts),
    failures: failures.map(({ created_at, kind, status, message, model_name, request_id }) => ({
      at: created_at,
      kind: kindOf(kind),
      status,
      message,
      model: model_name,
      request_id,
    })),
    models,
    keys,
  };
};

/** The traffic of every channel over the last 24 hours, out of what all nodes have stored. */
export const readActivity = async (db: Database, nowSeconds: number): Promise<ChannelActivity[]> => {
  const slot = Math.floor(nowSeconds / slotSeconds);
  const fromHour = Math.floor(nowSeconds / hourSeconds) - dayHours + 1;
  const [attempts, uses] = await Promise.all([
    sumAttemptsByChannel(db, { fromSlot: fromHour * slotsPerHour, recentSlot: slot - slotsPerHour + 1 }),
    sumUseByChannel(db, fromHour),
  ]);
  const attemptsOf = new Map(attempts.map((row) => [row.channelId, row]));
  const usesOf = new Map(uses.map((row) => [row.channelId, row]));
  return [...new Set([...attemptsOf.keys(), ...usesOf.keys()])].map((id) => {
    const attempt = attemptsOf.get(id);
    const use = usesOf.get(id);
    return {
      id,
      succeeded: attempt?.succeeded ?? 0,
      failed: attempt?.failed ?? 0,
      hour_succeeded: attempt?.recentSucceeded ?? 0,
      hour_failed: attempt?.recentFailed ?? 0,
      requests: use?.requests ?? 0,
      quota: use?.quota ?? 0,
    };
  });
};
