import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** A place where the books do not agree. */
export interface Finding {
  /** The invariant: L1 credits, L2 allocations, L3 uses, L4 holds, L5 requests, L8 overspend, L9 single effects. */
  readonly rule: 'L1' | 'L2' | 'L3' | 'L4' | 'L5' | 'L8' | 'L9';
  /** The row, for instance `user 5` or `request 2026…`. */
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
}

/** Findings per check that are told; more would only repeat. */
const findingsMax = 100;

interface Check {
  readonly rule: Finding['rule'];
  /** What its rows are about. */
  readonly noun: string;
  /** Selects `id`, `expected` and `found` of what disagrees. */
  readonly query: RawBuilder<unknown>;
}

/** Rows of `table` whose `found` is not what `sums` (id, amount) says, and sums whose row is missing. */
const disagreement = (table: string, found: string, sums: RawBuilder<unknown>, condition = 'true') => sql`
  select rows.id, coalesce(sums.amount, 0) as expected, rows.found
    from (select id, ${sql.raw(found)} as found from ${sql.table(table)} where ${sql.raw(condition)}) as rows
    left join (${sums}) as sums on sums.id = rows.id
    where rows.found <> coalesce(sums.amount, 0)
  union all
  select sums.id, sums.amount as expected, 0 as found
    from (${sums}) as sums
    where sums.amount <> 0 and sums.id <> 0 and not exists (select 1 from ${sql.table(table)} as rows where rows.id = sums.id)`;

const creditsByUser = sql`select user_id as id, sum(amount) as amount from ledger where kind not in ('use', 'allocate') group by user_id`;
const allocationsByToken = sql`select token_id as id, sum(amount) as amount from ledger where kind = 'allocate' group by token_id`;
const usesBy = (column: 'user_id' | 'token_id' | 'channel_id') =>
  sql`select ${sql.ref(column)} as id, sum(amount) as amount from ledger where kind = 'use' group by ${sql.ref(column)}`;
const holdsByUser = sql`select user_id as id, sum(amount) as amount from holds group by user_id`;
const holdsByToken = sql`select token_id as id, sum(amount) as amount from holds where token_limited = 1 group by token_id`;

const everything = 'available + held + used';
const limited = 'unlimited_quota = 0';

const beyond = (table: string, sums: RawBuilder<unknown>, condition: string) => sql`
  select rows.id, coalesce(sums.amount, 0) as expected, rows.used as found
    from ${sql.table(table)} as rows left join (${sums}) as sums on sums.id = rows.id
    where ${sql.raw(condition)} and rows.used > coalesce(sums.amount, 0)`;

const checks: readonly Check[] = [
  { rule: 'L1', noun: 'user', query: disagreement('users', everything, creditsByUser) },
  { rule: 'L2', noun: 'token', query: disagreement('tokens', everything, allocationsByToken, limited) },
  { rule: 'L3', noun: 'user', query: disagreement('users', 'used', usesBy('user_id')) },
  { rule: 'L3', noun: 'token', query: disagreement('tokens', 'used', usesBy('token_id')) },
  { rule: 'L3', noun: 'channel', query: disagreement('channels', 'used', usesBy('channel_id')) },
  { rule: 'L4', noun: 'user', query: disagreement('users', 'held', holdsByUser) },
  { rule: 'L4', noun: 'token', query: disagreement('tokens', 'held', holdsByToken) },
  {
    rule: 'L5',
    noun: 'hold of the settled request',
    query: sql`select holds.request_id as id, 0 as expected, holds.amount as found
      from holds join ledger on ledger.op_key = 'use:' || holds.request_id`,
  },
  {
    rule: 'L5',
    noun: 'operation key of entry',
    query: sql`select id, 1 as expected, 0 as found from ledger where kind = 'use' and op_key <> 'use:' || request_id`,
  },
  { rule: 'L8', noun: 'user', query: beyond('users', creditsByUser, 'true') },
  { rule: 'L8', noun: 'token', query: beyond('tokens', allocationsByToken, limited) },
  {
    rule: 'L9',
    noun: 'redemption',
    query: sql`select redemptions.id, redemptions.quota as expected, coalesce(ledger.amount, 0) as found
      from redemptions left join ledger on ledger.op_key = 'redeem:' || redemptions.id
        and ledger.user_id = redemptions.redeemed_user_id
      where redemptions.status = 3 and coalesce(ledger.amount, -1) <> redemptions.quota`,
  },
  {
    rule: 'L9',
    noun: 'entry of a redemption',
    query: sql`select ledger.id, 0 as expected, ledger.amount as found from ledger where kind = 'redeem'
      and not exists (select 1 from redemptions where redemptions.status = 3 and ledger.op_key = 'redeem:' || redemptions.id)`,
  },
];

const runCheck = async (trx: Transaction<Schema>, { rule, noun, query }: Check): Promise<readonly Finding[]> => {
  const { rows } = await sql<{ id: number | string; expected: number; found: number }>`
    select * from (${query}) as findings limit ${sql.lit(findingsMax)}`.execute(trx);
  return rows.map(({ id, expected, found }) => ({ rule, subject: `${noun} ${id}`, expected, found }));
};

/** How much was looked at, and what is worth knowing though it breaks no rule. */
export interface LedgerFigures {
  readonly entries: number;
  readonly holds: number;
  /** Quota units that settlements could not collect. */
  readonly unrecovered: number;
}

export interface Verification {
  readonly findings: readonly Finding[];
  readonly figures: LedgerFigures;
}

/** Checks the books at one point in time; changes nothing and stops nobody. */
export const verifyLedger = (query: Kysely<Schema>, kind: 'sqlite' | 'postgres'): Promise<Verification> => {
  const reading = query.transaction().setAccessMode('read only');
  const snapshot = kind === 'sqlite' ? reading : reading.setIsolationLevel('repeatable read');
  return snapshot.execute(async (trx) => {
    const findings: Finding[] = [];
    for (const check of checks) findings.push(...(await runCheck(trx, check)));
    const totals = await trx
      .selectFrom('ledger')
      .select((on) => [
        on.fn.countAll<number>().as('entries'),
        on.fn.sum<number | null>('unrecovered').as('unrecovered'),
      ])
      .executeTakeFirstOrThrow();
    const { holds } = await trx
      .selectFrom('holds')
      .select((on) => on.fn.countAll<number>().as('holds'))
      .executeTakeFirstOrThrow();
    return { findings, figures: { entries: totals.entries, holds, unrecovered: totals.unrecovered ?? 0 } };
  });
};
