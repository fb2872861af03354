import { sql } from 'kysely';
import type { ReadQueries } from '../database.ts';

interface IdRange {
  readonly from: number;
  readonly to: number;
}

const within = ({ from, to }: IdRange) => sql<boolean>`id between ${from} and ${to}`;

/** The rows of each table whose ids are within a range, ends included, deleted ones too. */
export const importedRows = {
  users: (query: ReadQueries, range: IdRange) => query.selectFrom('users').selectAll().where(within(range)).execute(),
  tokens: (query: ReadQueries, range: IdRange) => query.selectFrom('tokens').selectAll().where(within(range)).execute(),
  channels: (query: ReadQueries, range: IdRange) =>
    query.selectFrom('channels').selectAll().where(within(range)).execute(),
  redemptions: (query: ReadQueries, range: IdRange) =>
    query.selectFrom('redemptions').selectAll().where(within(range)).execute(),
} as const;

/** What ledger entries say, by their operation keys. */
export const readEntries = async (query: ReadQueries, keys: readonly string[]) => {
  if (keys.length === 0) return new Map<string, { readonly amount: number; readonly unrecovered: number }>();
  const rows = await query
    .selectFrom('ledger')
    .select(['op_key', 'amount', 'unrecovered'])
    .where('op_key', 'in', keys)
    .execute();
  return new Map(rows.map(({ op_key, amount, unrecovered }) => [op_key, { amount, unrecovered }]));
};

/** The number of rows of a table. */
export const countImported = async (
  query: ReadQueries,
  table: 'users' | 'tokens' | 'channels' | 'redemptions' | 'logs',
): Promise<number> => {
  const row = await query
    .selectFrom(table)
    .select((on) => on.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
};

/** Sums of consumption. */
export interface LogTotals {
  readonly requests: number;
  readonly quota: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

interface TotalsRow {
  readonly requests: number | null;
  readonly quota: number | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
}

const toTotals = (row: TotalsRow | undefined): LogTotals => ({
  requests: Number(row?.requests ?? 0),
  quota: Number(row?.quota ?? 0),
  promptTokens: Number(row?.prompt_tokens ?? 0),
  completionTokens: Number(row?.completion_tokens ?? 0),
});

/** What the rows of the log add up to, and what its hourly sums do. */
export const readLogTotals = async (
  query: ReadQueries,
): Promise<{ readonly rows: LogTotals; readonly hours: LogTotals }> => {
  const sums = sql`sum(quota) as quota, sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens`;
  const ofRows = sql<TotalsRow>`(select count(*) as requests, ${sums} from logs where type = 2)`.as('totals');
  const ofHours = sql<TotalsRow>`(select sum(requests) as requests, ${sums} from log_hours)`.as('totals');
  return {
    rows: toTotals(await query.selectFrom(ofRows).selectAll().executeTakeFirst()),
    hours: toTotals(await query.selectFrom(ofHours).selectAll().executeTakeFirst()),
  };
};
