import { sql, type RawBuilder } from 'kysely';
import type { Database, ReadQueries } from '../database.ts';
import { usedQuota } from '../channels/used-quota.ts';
import { periodIdsOf } from './period-ids.ts';

/** A difference between ledger and balances. */
export interface Finding {
  /** The invariant: L1 credits, L2 allocations, L3 uses, L4 holds, L5 requests, L8 overspend, L9 single effects. */
  readonly rule: 'L1' | 'L2' | 'L3' | 'L4' | 'L5' | 'L8' | 'L9';
  /** The row, for instance `user 5` or `request 2026…`. */
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
}

/** Findings reported per check; more would only repeat. */
const findingsMax = 100;

interface Check {
  readonly rule: Finding['rule'];
  /** Selects `noun`, `id`, `expected` and `found` of what disagrees. */
  readonly query: RawBuilder<unknown>;
}

type Sql = RawBuilder<unknown>;

/** Rows of `table` whose `found` is not that of `sums` (id, amount), and sums whose row is missing. */
const disagreement = (noun: string, found: Sql, sums: Sql, condition = 'true') => {
  const table = sql.table(`${noun}s`);
  return sql`
    select ${sql.lit(noun)} as noun, rows.id, coalesce(sums.amount, 0) as expected, rows.found
      from (select id, ${found} as found from ${table} where ${sql.raw(condition)}) as rows
      left join ${sums} as sums on sums.id = rows.id
      where rows.found <> coalesce(sums.amount, 0)
    union all
    select ${sql.lit(noun)} as noun, sums.id, sums.amount as expected, 0 as found
      from ${sums} as sums
      where sums.amount <> 0 and sums.id <> 0 and not exists (select 1 from ${table} as rows where rows.id = sums.id)`;
};

/** Accounts that used more than they ever got. */
const overspend = (noun: string, sums: Sql, condition = 'true') => sql`
  select ${sql.lit(noun)} as noun, rows.id, coalesce(sums.amount, 0) as expected, rows.used as found
    from ${sql.table(`${noun}s`)} as rows left join ${sums} as sums on sums.id = rows.id
    where ${sql.raw(condition)} and rows.used > coalesce(sums.amount, 0)`;

const everything = sql`available + held + used`;
const limited = 'unlimited_quota = 0';

// The conditions repeat those of the partial indexes, so that only the few entries that are no uses are read.
const credits = sql`(select user_id as id, sum(amount) as amount from ledger
  where kind <> 'use' and kind <> 'allocate' group by user_id)`;
const allocations = sql`(select token_id as id, sum(amount) as amount from ledger
  where kind = 'allocate' group by token_id)`;
const heldBy = (column: string, condition = 'true') =>
  sql`(select ${sql.ref(column)} as id, sum(amount) as amount from holds where ${sql.raw(condition)} group by ${sql.ref(column)})`;
const usedBy = (column: string) =>
  sql`(select ${sql.ref(column)} as id, sum(amount) as amount from uses group by ${sql.ref(column)})`;

const amountsByPeriod = (kind: Database['kind'], table: 'ledger' | 'holds', condition: Sql) =>
  sql`select named.value as id, rows.amount from ${sql.table(table)} as rows, ${periodIdsOf(kind)}
    where rows.budgets <> '' and ${condition}`;

const byPeriod = (amounts: Sql) => sql`(select id, sum(amount) as amount from (${amounts}) as amounts group by id)`;

const budgetChecks = (kind: Database['kind']): readonly Check[] => {
  const uses = sql`${amountsByPeriod(kind, 'ledger', sql`rows.kind = 'use'`)}
    union all select period_id as id, amount from ledger_folded_periods`;
  const held = amountsByPeriod(kind, 'holds', sql`true`);
  return [
    { rule: 'L3', query: disagreement('budget_period', sql.ref('used'), byPeriod(uses)) },
    { rule: 'L4', query: disagreement('budget_period', sql.ref('held'), byPeriod(held)) },
  ];
};

/** What closed months charged to each account, and what their entries did. */
const monthCheck: Check = {
  rule: 'L3',
  query: sql`
    select 'closed months of user' as noun, rows.id, coalesce(sums.amount, 0) as expected, rows.found
    from (select user_id as id, sum(amount) as found from ledger_month_uses group by user_id) as rows
    left join (select user_id as id, sum(amount) as amount from (
        select user_id, amount from ledger
          where kind = 'use' and id <= (select coalesce(max(last_id), 0) from ledger_months)
        union all select user_id, amount from ledger_folded_uses) as uses group by user_id) as sums
      on sums.id = rows.id
    where rows.found <> coalesce(sums.amount, 0)`,
};

/** What archives took out of the ledger, and what was folded. `folded`: the column of the sums. */
const archiveCheck = (noun: string, archived: string, folded: string, remaining: string): Check => ({
  rule: 'L3',
  query: sql`
    select ${sql.lit(noun)} as noun, 'of archives' as id, sums.expected, sums.found
    from (select
      (select coalesce(sum(${sql.ref(archived)}), 0) from ledger_archives) - (select ${sql.raw(remaining)} from ledger
        where kind = 'use' and id <= (select coalesce(max(last_id), 0) from ledger_archives)) as expected,
      (select coalesce(sum(${sql.ref(folded)}), 0) from ledger_folded_uses) as found) as sums
    where sums.expected <> sums.found`,
});

const archiveChecks: readonly Check[] = [
  archiveCheck('folded uses', 'uses', 'entries', 'count(*)'),
  archiveCheck('folded quota', 'amount', 'amount', 'coalesce(sum(amount), 0)'),
];

const checks: readonly Check[] = [
  { rule: 'L1', query: disagreement('user', everything, credits) },
  { rule: 'L2', query: disagreement('token', everything, allocations, limited) },
  {
    rule: 'L3',
    query: sql`
      with uses as materialized (select user_id, token_id, channel_id, sum(amount) as amount from ledger
          where kind = 'use' group by user_id, token_id, channel_id
        union all select user_id, token_id, channel_id, amount from ledger_folded_uses)
      ${disagreement('user', sql.ref('used'), usedBy('user_id'))}
      union all ${disagreement('token', sql.ref('used'), usedBy('token_id'))}
      union all ${disagreement('channel', usedQuota, usedBy('channel_id'))}`,
  },
  { rule: 'L4', query: disagreement('user', sql.ref('held'), heldBy('user_id')) },
  { rule: 'L4', query: disagreement('token', sql.ref('held'), heldBy('token_id', 'token_limited = 1')) },
  {
    rule: 'L5',
    query: sql`select 'hold of the settled request' as noun, holds.request_id as id, 0 as expected, holds.amount as found
      from holds join ledger on ledger.op_key = 'use:' || holds.request_id`,
  },
  {
    rule: 'L5',
    query: sql`select 'operation key of entry' as noun, id, 1 as expected, 0 as found
      from ledger where kind = 'use' and op_key <> 'use:' || request_id and op_key <> 'use:' || request_id || ':rest'`,
  },
  { rule: 'L8', query: overspend('user', credits) },
  { rule: 'L8', query: overspend('token', allocations, limited) },
  {
    rule: 'L9',
    query: sql`
      select 'redemption' as noun, redemptions.id, redemptions.quota as expected, coalesce(ledger.amount, 0) as found
      from redemptions left join ledger on ledger.op_key = 'redeem:' || redemptions.id
        and ledger.user_id = redemptions.redeemed_user_id
      where redemptions.status = 3 and coalesce(ledger.amount, -1) <> redemptions.quota`,
  },
  {
    rule: 'L9',
    query: sql`
      select 'entry of a redemption' as noun, ledger.id, 0 as expected, ledger.amount as found
      from ledger where kind <> 'use' and kind = 'redeem' and not exists
        (select 1 from redemptions where redemptions.status = 3 and ledger.op_key = 'redeem:' || redemptions.id)`,
  },
];

interface FindingRow {
  readonly noun: string;
  readonly id: number | string;
  readonly expected: number;
  readonly found: number;
}

const runCheck = async (read: ReadQueries, { rule, query }: Check): Promise<readonly Finding[]> => {
  const findings = sql<FindingRow>`(${query})`.as('findings');
  const rows = await read.selectFrom(findings).selectAll().limit(sql.lit(findingsMax)).execute();
  return rows.map(({ noun, id, expected, found }) => ({ rule, subject: `${noun} ${id}`, expected, found }));
};

/** The number of checked rows, and figures that break no rule. */
export interface LedgerFigures {
  readonly entries: number;
  /** Entries that are in archives, and no longer in the ledger. */
  readonly folded: number;
  readonly holds: number;
  /** Quota units that settlements could not collect. */
  readonly unrecovered: number;
}

export interface Verification {
  readonly findings: readonly Finding[];
  readonly figures: LedgerFigures;
}

/** Compares ledger, holds and balances at one point in time; changes nothing and blocks nothing. */
export const verifyLedger = (db: Pick<Database, 'kind' | 'snapshot'>): Promise<Verification> =>
  db.snapshot(async (trx) => {
    const findings: Finding[] = [];
    for (const check of [...checks, monthCheck, ...archiveChecks, ...budgetChecks(db.kind)])
      findings.push(...(await runCheck(trx, check)));
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
    const folded = await trx
      .selectFrom('ledger_folded_uses')
      .select((on) => [
        on.fn.sum<number | null>('entries').as('entries'),
        on.fn.sum<number | null>('unrecovered').as('unrecovered'),
      ])
      .executeTakeFirstOrThrow();
    const unrecovered = (totals.unrecovered ?? 0) + (folded.unrecovered ?? 0);
    return { findings, figures: { entries: totals.entries, folded: folded.entries ?? 0, holds, unrecovered } };
  });
