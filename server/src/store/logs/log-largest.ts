import { sql, type RawBuilder } from 'kysely';
import { type DayTable, type Dimension, followsDay, hasOneRowADay, type SummedDays } from './log-days.ts';
import { filteredColumns } from './log-hours.ts';
import { conditionsOf, cover, isDays, type LogSumQuery, type Piece, piecesOf, readPieces } from './log-pieces.ts';

interface Ranking extends LogSumQuery {
  readonly step: number;
  readonly by: Dimension;
  readonly top: number;
}

/** Parts of a query: tables of its `with`, and two selects of sums that are not yet added together. */
interface RankedSums {
  readonly tables: RawBuilder<unknown>;
  readonly ofLargest: RawBuilder<unknown>;
  readonly ofAll: RawBuilder<unknown>;
}

const largestIn = (rows: RawBuilder<unknown>, top: number): RawBuilder<unknown> =>
  sql`largest as materialized (select name from (${rows}) as ranked group by name
    order by sum(quota) desc, sum(requests) desc, name limit ${sql.lit(top)})`;

const amongLargest = sql`(select name from largest)`;

/**
 * The largest of tens of thousands of names. To group a month of them takes more than 100 ms (docs/decisions/0014), so
 * only names are grouped that can be among the `top` largest:
 *
 * 1. The span has n days, and edges beside them. A name with the sum S has S / (n + 1) or more in one of these parts.
 * 2. `seeds` are names with large sums in one day. `bound` is the sum of the last of the `top` largest seeds. Each of the
 *    `top` largest names has at least that, by definition.
 * 3. So a name with less than bound / (n + 1) in each part is not among them. `likely` are the others.
 */
const largestByDay = (days: Piece, edges: readonly Piece[], query: Ranking): RawBuilder<unknown> => {
  const { filter, span, by, top } = query;
  const [table, name, count] = [sql.table(days.source), sql.ref(by), days.before - days.from];
  const within = conditionsOf(days, query);
  const isLikely = sql`quota * ${sql.lit(count + 1)} >= (select quota from bound)`;
  return sql`edges as materialized (select name, sum(requests) as requests, sum(quota) as quota
      from (${readPieces(edges, { filter, span, by })}) as pieces group by name),
    seeds as materialized (select distinct name from (select ${name} as name from ${table} where ${within}
      order by quota desc limit ${sql.lit(top * count)}) as rows_of_seeds),
    bound as materialized (select case when count(*) < ${sql.lit(top)} then 0 else min(quota) end as quota
      from (select sum(quota) as quota from ${table}
        where ${conditionsOf(days, { ...query, among: sql`(select name from seeds)` })}
        group by ${name} order by 1 desc limit ${sql.lit(top)}) as sums_of_seeds),
    likely as materialized (select ${name} as name from ${table} where ${within} and ${isLikely}
      union select name from edges where ${isLikely}),
    ${largestIn(
      sql`select ${name} as name, requests, quota from ${table}
          where ${within} and ${name} in (select name from likely)
        union all select name, requests, quota from edges where name in (select name from likely)`,
      top,
    )}`;
};

/** Where days are grouped without sorting, they are read once. */
const readOnce = (pieces: readonly Piece[], query: Ranking): RankedSums => ({
  tables: sql`sums as materialized (${readPieces(pieces, query)}), ${largestIn(sql`select * from sums`, query.top)}`,
  ofLargest: sql`select * from sums where name in ${amongLargest}`,
  ofAll: sql`select * from sums`,
});

const isOfDays = (piece: Piece): piece is Piece & { readonly source: DayTable } => isDays(piece.source);

/** The sums of each of the `top` largest spenders of a dimension, and those of all of them. */
export const rankedSums = (query: Ranking, summed: readonly SummedDays[]): RankedSums => {
  const { filter, span, step, by, top } = query;
  const pieces = cover(query, summed);
  const days = pieces.find(isOfDays);
  const isOneRow = days !== undefined && hasOneRowADay(days.source, { filtered: filteredColumns(filter), by });
  if (days !== undefined && !isOneRow && followsDay(days.source, by)) return readOnce(pieces, query);
  const edges = pieces.filter((piece) => piece !== days);
  return {
    tables: isOneRow ? largestByDay(days, edges, query) : largestIn(readPieces(pieces, { filter, span, by }), top),
    ofLargest: piecesOf({ ...query, among: amongLargest }, summed),
    ofAll: piecesOf({ filter, span, step }, summed),
  };
};
