import { getErrorCounts, getOwnUsage, getSilence, getUsage, type Usage, type UsageSums } from '@weir/contract/usage';
import { getDashboard } from '@weir/contract/users';
import { route, type Routes } from '../../http/route.ts';
import { readErrorCounts } from './error-counts.ts';
import { marginRoutes } from './margins.ts';
import { createSilence } from './silence.ts';
import { findChannelNames } from '../../store/channels/channels.ts';
import type { Database } from '../../store/database.ts';
import { everything } from '../../store/logs/log-filter.ts';
import { sumModelDays } from '../../store/logs/log-hours.ts';
import type { Span } from '../../store/logs/log-pieces.ts';
import { addSums, noSums, sumConsumption, sumNamedBuckets, sumNames, type Sums } from '../../store/logs/log-sums.ts';
import { countRefused } from '../../store/refusals/refusals.ts';
import { findUsernames } from '../../store/users/users.ts';

interface UsageRoutesDeps {
  readonly clock: { now(): number };
}

const dayMs = 86_400_000;
const hoursPerDay = 24;
const dashboardDays = 7;

const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

const daySeconds = 86_400;
const hourSeconds = 3600;
const usualDays = 7;
const daysMax = 366;
/** All keys and users are thousands a day, and all of them are ranked: so a month at most. */
const manyDaysMax = 31;
/** Beyond so many days, hours would be too many to look at. */
const hourlyDaysMax = 3;
/** As many as a chart has colours for. */
const namesMax = 7;

const columns = { model: 'model_name', token: 'token_name', channel: 'channel_id', user: 'user_id' } as const;
type Wanted = keyof typeof columns;

interface UsageQuery {
  readonly start_timestamp: number;
  readonly end_timestamp: number;
  readonly by: Wanted;
}

interface UsageScope {
  /** Unix seconds. */
  readonly now: number;
  /** 0: all users. */
  readonly userId: number;
  /** Empty: every key. */
  readonly tokenName: string;
  /** 0: every token. */
  readonly tokenId: number;
}

const toSums = ({ requests, quota, promptTokens, completionTokens }: Sums): UsageSums => ({
  requests,
  quota,
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
});

const totalOf = (buckets: readonly Sums[]): Sums => buckets.reduce(addSums, noSums);

/** Names of the channels or users behind numbers. */
const titlesOf = async (db: Database, by: Wanted, names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const ids = names.map(Number);
  if (by === 'channel') return findChannelNames(db, ids);
  return by === 'user' ? findUsernames(db, ids) : new Map();
};

const spanOf = (
  { start_timestamp, end_timestamp, by }: UsageQuery,
  { now, userId }: Pick<UsageScope, 'now' | 'userId'>,
): Span => {
  const days = userId === 0 && (by === 'token' || by === 'user') ? manyDaysMax : daysMax;
  const before = end_timestamp > 0 ? Math.min(end_timestamp, now) + 1 : now + 1;
  const from = start_timestamp > 0 ? start_timestamp : before - usualDays * daySeconds;
  return { from: Math.max(0, Math.min(from, before), before - days * daySeconds), before };
};

const usageOf = async (
  db: Database,
  query: UsageQuery,
  { now, userId, tokenName, tokenId }: UsageScope,
): Promise<Usage> => {
  const span = spanOf(query, { now, userId });
  const filter = { ...everything, userId, tokenName, tokenId };
  const length = span.before - span.from;
  const step = length > hourlyDaysMax * daySeconds ? daySeconds : hourSeconds;
  const by = columns[query.by];
  const earlier = { from: Math.max(0, span.from - length), before: span.from };
  const [buckets, before, refused] = await Promise.all([
    sumNamedBuckets(db, { filter, span, step, by, top: namesMax }),
    sumConsumption(db, { filter, span: earlier }),
    countRefused(db, { userId, tokenId, tokenName, ...span }),
  ]);
  const byName = Map.groupBy(buckets, ({ name }) => name);
  const names = [...byName.keys()].filter((name) => name !== null);
  const [titles, namesBefore] = await Promise.all([
    titlesOf(db, query.by, names),
    sumNames(db, { filter, span: earlier, by, names }),
  ]);
  return {
    ...span,
    step,
    total: toSums(totalOf(buckets)),
    total_before: toSums(before),
    refused,
    names: names
      .map((name) => ({
        name,
        title: titles.get(name) ?? name,
        ...toSums(totalOf(byName.get(name) ?? [])),
        quota_before: namesBefore.get(name)?.quota ?? 0,
      }))
      .toSorted((one, other) => other.quota - one.quota || other.requests - one.requests),
    buckets: buckets.map((bucket) => ({ at: bucket.at, name: bucket.name, ...toSums(bucket) })),
  };
};

export const usageRoutes = (routes: Routes, { clock }: UsageRoutesDeps): void => {
  const { db } = routes.deps;
  const now = () => Math.floor(clock.now() / 1000);
  const readSilence = createSilence(db);

  route(routes, getUsage, async ({ query }) => ({
    data: await usageOf(db, query, { userId: 0, tokenName: '', tokenId: 0, now: now() }),
  }));
  route(routes, getOwnUsage, async ({ query, actor }) => ({
    data: await usageOf(db, query, {
      userId: actor.user.id,
      tokenName: query.token_name,
      tokenId: Math.max(0, query.token_id),
      now: now(),
    }),
  }));

  marginRoutes(routes, { clock });
  route(routes, getSilence, async () => ({ data: await readSilence(now()) }));
  route(routes, getErrorCounts, async () => ({ data: await readErrorCounts(db, now()) }));

  route(routes, getDashboard, async ({ actor }) => {
    const tomorrow = Math.floor(clock.now() / dayMs) + 1;
    const range = { from: (tomorrow - dashboardDays) * hoursPerDay, before: tomorrow * hoursPerDay };
    const days = await sumModelDays(db, { userId: actor.user.id, ...range });
    return {
      data: days.map((row) => ({
        Day: dayText(row.day),
        ModelName: row.model,
        RequestCount: row.requests,
        Quota: row.quota,
        PromptTokens: row.promptTokens,
        CompletionTokens: row.completionTokens,
      })),
    };
  });
};
