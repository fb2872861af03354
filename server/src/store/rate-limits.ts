import type { LimitMetric, LimitPeriod, LimitScope } from '@weir/contract/limits/limit-rules';
import type { Selectable } from 'kysely';
import type { DatabaseTransaction, ReadQueries } from './database.ts';
import type { RateLimitsTable } from './rate-limit-table.ts';

export type RateLimitRow = Selectable<RateLimitsTable>;

/** What a rule limits, and how much; the scope's forms are those of the contract. */
export interface LimitRule {
  readonly scope: LimitScope;
  readonly subject: string;
  readonly model: string;
  readonly metric: LimitMetric;
  readonly period: LimitPeriod;
  readonly amount: number;
}

/** All rules, in the order of their creation. */
export const listRateLimits = (read: ReadQueries): Promise<RateLimitRow[]> =>
  read.selectFrom('rate_limits').selectAll().orderBy('id').execute();

export const findRateLimit = (read: ReadQueries, id: number): Promise<RateLimitRow | undefined> =>
  read.selectFrom('rate_limits').selectAll().where('id', '=', id).executeTakeFirst();

/** The rule of the same scope, subject, model, metric and period. */
export const findSameRule = (
  read: ReadQueries,
  { scope, subject, model, metric, period }: LimitRule,
): Promise<Pick<RateLimitRow, 'id'> | undefined> =>
  read
    .selectFrom('rate_limits')
    .select('id')
    .where('scope', '=', scope)
    .where('subject', '=', subject)
    .where('model', '=', model)
    .where('metric', '=', metric)
    .where('period', '=', period)
    .executeTakeFirst();

export const countRateLimits = async (read: ReadQueries): Promise<number> => {
  const { count } = await read
    .selectFrom('rate_limits')
    .select((on) => on.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Undefined: there is such a rule already. */
export const insertRateLimit = (
  trx: DatabaseTransaction,
  rule: LimitRule,
  at: number,
): Promise<RateLimitRow | undefined> =>
  trx
    .insertInto('rate_limits')
    .values({ ...rule, created_time: at })
    .onConflict((on) => on.columns(['scope', 'subject', 'model', 'metric', 'period']).doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateRateLimit = (
  trx: DatabaseTransaction,
  id: number,
  { scope, subject, model, metric, period, amount }: LimitRule,
): Promise<RateLimitRow | undefined> =>
  trx
    .updateTable('rate_limits')
    .set({ scope, subject, model, metric, period, amount })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** The rule that was deleted. */
export const deleteRateLimit = (trx: DatabaseTransaction, id: number): Promise<RateLimitRow | undefined> =>
  trx.deleteFrom('rate_limits').where('id', '=', id).returningAll().executeTakeFirst();

/** The names of what rules are about; IDs of nothing are left out. */
export interface SubjectNames {
  readonly tokens: ReadonlyMap<number, string>;
  readonly users: ReadonlyMap<number, string>;
  readonly channels: ReadonlyMap<number, string>;
}

interface SubjectIds {
  readonly tokens: readonly number[];
  readonly users: readonly number[];
  readonly channels: readonly number[];
}

const named = (rows: readonly { readonly id: number; readonly name: string }[]): ReadonlyMap<number, string> =>
  new Map(rows.map(({ id, name }) => [id, name]));

/** Names of tokens, users and channels that are not deleted. */
export const findSubjectNames = async (
  read: ReadQueries,
  { tokens, users, channels }: SubjectIds,
): Promise<SubjectNames> => {
  const ofTokens =
    tokens.length === 0
      ? []
      : await read
          .selectFrom('tokens')
          .select(['id', 'name'])
          .where('id', 'in', tokens)
          .where('deleted_time', '=', 0)
          .execute();
  const ofUsers =
    users.length === 0
      ? []
      : await read
          .selectFrom('users')
          .select(['id', 'username as name'])
          .where('id', 'in', users)
          .where('status', '<>', 3)
          .execute();
  const ofChannels =
    channels.length === 0
      ? []
      : await read
          .selectFrom('channels')
          .select(['id', 'name'])
          .where('id', 'in', channels)
          .where('deleted_time', '=', 0)
          .execute();
  return { tokens: named(ofTokens), users: named(ofUsers), channels: named(ofChannels) };
};
