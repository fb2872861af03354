import { logType } from '@weir/contract/logs';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database.ts';
import { readSums } from './log-marks.ts';
import type { Dimension } from './log-sum-tables.ts';
import { type ConsumptionFilter, consumptionOf } from './log-hours.ts';
import { piecesOf, type Span } from './log-pieces.ts';
import { added, type Sums, sumsOf, type SumRow } from './log-sums.ts';

/** A column of the sums, or the group that each user is in now; of users that are gone it is empty. */
export type GroupedBy = Dimension | 'group';

interface Spanned {
  readonly filter: ConsumptionFilter;
  readonly span: Span;
}

/** One of the largest, or with `name` null the rest together. */
interface NamedSums extends Sums {
  readonly name: string | null;
}

/** The `top` largest of a dimension over a whole span, most quota first, and then all others together. */
export const sumLargest = async (
  db: Database,
  { by, top, ...query }: Spanned & { readonly by: GroupedBy; readonly top: number },
): Promise<NamedSums[]> => {
  const users = by === 'group' ? sql`left join users on users.id = pieces.name` : sql``;
  const name = by === 'group' ? sql`coalesce(users."group", '')` : sql`cast(pieces.name as text)`;
  const rankedOf = (pieces: RawBuilder<unknown>) =>
    sql<SumRow & { readonly first: number }>`(
    with named as (
      select ${name} as name, sum(requests) as requests, sum(pieces.quota) as quota, sum(prompt) as prompt,
        sum(completion) as completion, sum(cost) as cost, sum(costed) as costed
      from (${pieces}) as pieces ${users} group by 1),
    ranked as (select named.*, row_number() over (order by quota desc, requests desc, name) as place from named)
    select min(place) as first, case when place <= ${sql.lit(top)} then name end as name, ${added}
    from ranked group by case when place <= ${sql.lit(top)} then place else ${sql.lit(top + 1)} end, 2)`.as('sums');
  const rows = await readSums(db, (summed) => {
    const pieces = piecesOf({ ...query, by: by === 'group' ? 'user_id' : by }, summed);
    return db.read.selectFrom(rankedOf(pieces)).selectAll().orderBy('first').execute();
  });
  return rows.map((row) => ({ ...sumsOf(row), name: row.name }));
};

/**
 * Nano-dollars of the channel tests that are in the log, as far as they are known. They are in no sums, and found by the
 * index of records that are no consumption: `+` keeps the one of all records out.
 */
export const sumTestCosts = async (db: Database, { filter, span }: Spanned): Promise<bigint> => {
  const conditions = [
    sql`type <> ${sql.lit(logType.consume)}`,
    sql`type = ${sql.lit(logType.test)}`,
    sql`+created_at >= ${span.from}`,
    sql`+created_at < ${span.before}`,
    sql`cost > 0`,
    ...consumptionOf(filter),
  ];
  const sum = sql<{ readonly cost: string }>`(select cast(coalesce(sum(cost), 0) as text) as cost from logs
    where ${sql.join(conditions, sql` and `)})`.as('sum');
  const row = await db.read.selectFrom(sum).select('cost').executeTakeFirst();
  return BigInt(row?.cost ?? 0);
};
