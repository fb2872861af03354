import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { readSummedDays, splitHours } from '../logs/log-marks.ts';
import { hoursPerDay } from '../logs/log-sum-tables.ts';
import type { DayRange } from './vendor-bills.ts';

/** A channel whose calls a vendor may have billed, also after it was deleted. */
export interface BilledChannel {
  readonly id: number;
  readonly name: string;
  /** JSON object text, or empty. */
  readonly modelMapping: string;
}

/** The channels of a type, or those of these ids whatever their type: deleted ones too. */
export const listBilledChannels = async (
  db: Database,
  { type, ids }: { readonly type: number; readonly ids: readonly number[] },
): Promise<BilledChannel[]> => {
  const channels = db.read.selectFrom('channels').select(['id', 'name', 'model_mapping']).orderBy('id');
  const rows = await (ids.length === 0 ? channels.where('type', '=', type) : channels.where('id', 'in', ids)).execute();
  return rows.map(({ id, name, model_mapping: modelMapping }) => ({ id, name, modelMapping }));
};

/** Consumption of one day, model and channel. */
export interface ChannelDay {
  readonly day: number;
  readonly model: string;
  readonly channelId: number;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Nano-dollars; null: the cost of some of the calls is not known. */
  readonly cost: number | null;
}

interface ChannelDays extends DayRange {
  readonly channelIds: readonly number[];
}

type SumRow = { readonly [Name in keyof ChannelDay | 'quota' | 'costed']: number | string };

/**
 * The sum is that of the calls whose cost is known: all of them, where these have the whole quota. Of free calls alone
 * it is not known how many those are, so that 0 is none.
 */
const costOf = (row: SumRow): number | null => {
  const [quota, costed, cost] = [Number(row.quota), Number(row.costed), Number(row.cost)];
  return quota === costed && (quota > 0 || cost > 0) && Number.isSafeInteger(cost) ? cost : null;
};

/** Consumption by UTC day, model and channel: from the sums of days, and of the hours of days not yet summed. */
export const sumChannelDays = async (
  db: Database,
  { from, before, channelIds }: ChannelDays,
): Promise<ChannelDay[]> => {
  if (channelIds.length === 0) return [];
  const hours = { from: from * hoursPerDay, before: before * hoursPerDay };
  const stretches = splitHours(hours, await readSummedDays(db.read));
  const channels = sql.join(channelIds.map((id) => sql.lit(id)));
  const pieces = stretches.map((stretch) => {
    const byDay = stretch.unit === 'day';
    const column = sql.ref(byDay ? 'day' : 'hour');
    const day = byDay ? column : sql`${column} / ${sql.lit(hoursPerDay)}`;
    return sql`select ${day} as day, model_name, channel_id, requests, prompt_tokens, completion_tokens, quota, cost, costed
      from ${sql.table(byDay ? 'log_days' : 'log_hours')}
      where ${column} >= ${stretch.from} and ${column} < ${stretch.before} and channel_id in (${channels})`;
  });
  if (pieces.length === 0) return [];
  const sums = sql<SumRow>`(select day, model_name as model, channel_id as "channelId", sum(requests) as requests,
    sum(prompt_tokens) as "promptTokens", sum(completion_tokens) as "completionTokens",
    sum(quota) as quota, sum(costed) as costed, sum(cost) as cost
    from (${sql.join(pieces, sql` union all `)}) as pieces group by day, model_name, channel_id)`.as('sums');
  const rows = await db.read.selectFrom(sums).selectAll().execute();
  return rows.map((row) => ({
    day: Number(row.day),
    model: String(row.model),
    channelId: Number(row.channelId),
    requests: Number(row.requests),
    promptTokens: Number(row.promptTokens),
    completionTokens: Number(row.completionTokens),
    cost: costOf(row),
  }));
};

const daySeconds = 86_400;

/** Calls by UTC day whose usage was counted here. */
export const countEstimated = async (
  db: Database,
  { from, before, channelIds }: ChannelDays,
): Promise<ReadonlyMap<number, number>> => {
  if (channelIds.length === 0) return new Map();
  const rows = await db.read
    .selectFrom('ledger')
    .select((eb) => [sql<number | string>`created_at / 86400`.as('day'), eb.fn.countAll<number | string>().as('count')])
    .where('estimated', '=', sql.lit(1))
    .where('created_at', '>=', from * daySeconds)
    .where('created_at', '<', before * daySeconds)
    .where('channel_id', 'in', channelIds)
    .groupBy(sql`created_at / 86400`)
    .execute();
  return new Map(rows.map(({ day, count }) => [Number(day), Number(count)]));
};

/** Quarters of an hour, by which attempts and refused calls are counted. */
const slotsPerDay = 96;
/** Failures after which a vendor may have worked, and may bill it. */
const failures = ['timeout', 'unreachable', 'server', 'bad_answer'];

/**
 * What failed at vendors by UTC day, after which they may have worked: attempts on the channels, which are kept for two
 * days, or refused calls of all channels, which are kept longer; the larger of the two.
 */
export const countFailed = async (
  db: Database,
  { from, before, channelIds }: ChannelDays,
): Promise<ReadonlyMap<number, number>> => {
  if (channelIds.length === 0) return new Map();
  const [first, end] = [from * slotsPerDay, before * slotsPerDay];
  const attempts = await db.read
    .selectFrom('channel_attempts')
    .select((eb) => [sql<number | string>`slot / 96`.as('day'), eb.fn.sum<number | string>('count').as('count')])
    .where('slot', '>=', first)
    .where('slot', '<', end)
    .where('channel_id', 'in', channelIds)
    .where('outcome', 'in', failures)
    .groupBy(sql`slot / 96`)
    .execute();
  const refused = await db.read
    .selectFrom('refusal_sums')
    .select((eb) => [sql<number | string>`slot / 96`.as('day'), eb.fn.sum<number | string>('count').as('count')])
    .where('slot', '>=', first)
    .where('slot', '<', end)
    .where(
      'rule',
      'in',
      failures.map((kind) => `upstream_${kind}`),
    )
    .groupBy(sql`slot / 96`)
    .execute();
  const counts = new Map<number, number>();
  for (const { day, count } of [...attempts, ...refused])
    counts.set(Number(day), Math.max(counts.get(Number(day)) ?? 0, Number(count)));
  return counts;
};
