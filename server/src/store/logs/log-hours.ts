import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database.ts';
import { type HourRange, readSummedDays, splitHours } from './log-marks.ts';
import { dayTableFor, type Dimension, hoursPerDay } from './log-sum-tables.ts';

/** Seconds. */
export const hourSeconds = 3600;

/** Which consumption: 0 and empty text are filters not set. */
export interface ConsumptionFilter {
  readonly userId: number;
  readonly tokenName: string;
  readonly tokenId: number;
  readonly modelName: string;
  readonly channelId: number;
}

const columns = [
  ['user_id', ({ userId }) => userId],
  ['token_name', ({ tokenName }) => tokenName],
  ['token_id', ({ tokenId }) => tokenId],
  ['model_name', ({ modelName }) => modelName],
  ['channel_id', ({ channelId }) => channelId],
] as const satisfies readonly (readonly [Dimension, (filter: ConsumptionFilter) => number | string])[];

const filtersSet = (filter: ConsumptionFilter) =>
  columns
    .map(([column, of]) => ({ column, value: of(filter) }))
    .filter(({ value }) => (typeof value === 'string' ? value !== '' : value > 0));

/** The columns that a filter limits to one value. */
export const filteredColumns = (filter: ConsumptionFilter): ReadonlySet<Dimension> =>
  new Set(filtersSet(filter).map(({ column }) => column));

/** The filters that are set, as conditions on a table of sums. */
export const consumptionOf = (filter: ConsumptionFilter): RawBuilder<unknown>[] =>
  filtersSet(filter).map(({ column, value }) => sql`${sql.ref(column)} = ${value}`);

/** Hours or days looked up at a time: most pages need no more. */
const atOnce = 24;

interface Looking {
  readonly filter: ConsumptionFilter;
  readonly from: number;
  readonly before: number;
}

/** The hours or days of a table in which there was such consumption, newest first. */
const periodsBack = async function* (
  db: Database,
  { table, column, filter, from, before }: Looking & { readonly table: string; readonly column: 'hour' | 'day' },
) {
  const period = sql.ref(column);
  let next = before;
  while (next > from) {
    const conditions = sql.join(
      [sql`${period} >= ${from}`, sql`${period} < ${next}`, ...consumptionOf(filter)],
      sql` and `,
    );
    const found = sql<{ readonly period: number }>`(select distinct ${period} as period from ${sql.table(table)}
      where ${conditions} order by ${period} desc limit ${sql.lit(atOnce)})`.as('found');
    const rows = await db.read.selectFrom(found).select('period').orderBy('period', 'desc').execute();
    for (const row of rows) yield row.period;
    if (rows.length < atOnce) return;
    next = rows.at(-1)?.period ?? from;
  }
};

const hoursIn = (db: Database, looking: Looking) => periodsBack(db, { ...looking, table: 'log_hours', column: 'hour' });
/**
 * The hours in which there was such consumption, newest first; bounds are unix seconds. Days come before hours: of
 * several filters each may be common where all together are not, and days have far fewer rows to look through.
 */
export const hoursBack = async function* (db: Database, { filter, from, before }: Looking) {
  const range = { from: Math.floor(from / hourSeconds), before: Math.ceil(before / hourSeconds) };
  const table = dayTableFor({ filtered: filteredColumns(filter) });
  const stretches = splitHours(range, table === undefined ? [] : await readSummedDays(db.read));
  for (const { unit, ...stretch } of stretches.toReversed()) {
    if (unit === 'hour' || table === undefined) {
      yield* hoursIn(db, { filter, ...stretch });
      continue;
    }
    for await (const day of periodsBack(db, { filter, ...stretch, table, column: 'day' })) {
      yield* hoursIn(db, { filter, from: day * hoursPerDay, before: (day + 1) * hoursPerDay });
    }
  }
};

/** One day's use of one model. */
export interface ModelDay {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly model: string;
  readonly requests: number;
  readonly quota: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Consumption of a user, by UTC day and model, in the order of both. */
export const sumModelDays = async (
  db: Database,
  { userId, from, before }: HourRange & { readonly userId: number },
): Promise<ModelDay[]> => {
  const days = db.read
    .selectFrom('log_hours')
    .select((eb) => [
      sql<number>`hour / 24`.as('day'),
      'model_name as model',
      eb.fn.sum<number>('requests').as('requests'),
      eb.fn.sum<number>('quota').as('quota'),
      eb.fn.sum<number>('prompt_tokens').as('promptTokens'),
      eb.fn.sum<number>('completion_tokens').as('completionTokens'),
    ])
    .where('user_id', '=', userId)
    .where('hour', '>=', from)
    .where('hour', '<', before)
    .groupBy(['day', 'model'])
    .orderBy('day')
    .orderBy('model');
  return days.execute();
};

/** Calls of one model in one hour. */
export interface ModelHour {
  readonly hour: number;
  readonly model: string;
  readonly requests: number;
}

/** Calls of all users in some hours, by model. */
export const sumModelHours = async (db: Database, hours: readonly number[]): Promise<ModelHour[]> => {
  const rows = await db.read
    .selectFrom('log_hours')
    .select((eb) => ['hour', 'model_name as model', eb.fn.sum<number>('requests').as('requests')])
    .where('hour', 'in', hours)
    .groupBy(['hour', 'model_name'])
    .execute();
  return rows.map(({ hour, model, requests }) => ({ hour, model, requests: Number(requests) }));
};
