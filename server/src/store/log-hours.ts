import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** Seconds. */
export const hourSeconds = 3600;

/** Which consumption: 0 and empty text are filters not set. */
export interface ConsumptionFilter {
  readonly userId: number;
  readonly tokenName: string;
  readonly modelName: string;
  readonly channelId: number;
}

/** Hours since 1970, from the first to before the second. */
export interface HourRange {
  readonly from: number;
  readonly before: number;
}

export interface LogSum {
  /** Quota units. */
  readonly quota: number;
  /** Of prompts and completions together. */
  readonly tokens: number;
}

const conditions = (
  eb: ExpressionBuilder<Schema, 'log_hours'>,
  filter: ConsumptionFilter,
  { from, before }: HourRange,
): Expression<SqlBool>[] => [
  ...(filter.userId > 0 ? [eb('user_id', '=', filter.userId)] : []),
  ...(filter.tokenName === '' ? [] : [eb('token_name', '=', filter.tokenName)]),
  ...(filter.modelName === '' ? [] : [eb('model_name', '=', filter.modelName)]),
  ...(filter.channelId > 0 ? [eb('channel_id', '=', filter.channelId)] : []),
  eb('hour', '>=', from),
  eb('hour', '<', before),
];

/** The newest hours in which there was such consumption. */
export const listHours = async (
  db: Database,
  { filter, range, limit }: { readonly filter: ConsumptionFilter; readonly range: HourRange; readonly limit: number },
): Promise<number[]> => {
  const rows = await db.query
    .selectFrom('log_hours')
    .select('hour')
    .distinct()
    .where((eb) => eb.and(conditions(eb, filter, range)))
    .orderBy('hour', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ hour }) => hour);
};

/** What was consumed in whole hours. */
export const sumHours = async (db: Database, filter: ConsumptionFilter, range: HourRange): Promise<LogSum> => {
  const row = await db.query
    .selectFrom('log_hours')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('quota'), eb.lit(0)).as('quota'),
      eb.fn.coalesce(eb.fn.sum<number>(eb('prompt_tokens', '+', eb.ref('completion_tokens'))), eb.lit(0)).as('tokens'),
    ])
    .where((eb) => eb.and(conditions(eb, filter, range)))
    .executeTakeFirstOrThrow();
  return { quota: Number(row.quota), tokens: Number(row.tokens) };
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

/** What a user consumed, by UTC day and model, in the order of both. */
export const sumModelDays = async (
  db: Database,
  { userId, from, before }: HourRange & { readonly userId: number },
): Promise<ModelDay[]> => {
  const days = db.query
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
