import { sql, type RawBuilder } from 'kysely';
import { type Dimension, hasOneRowADay, type SummedDays } from './log-days.ts';
import { filteredColumns } from './log-hours.ts';
import { type LogSumQuery, conditionsOf, cover, isDays, type Piece } from './log-pieces.ts';

interface Ranking extends LogSumQuery {
  readonly by: Dimension;
  readonly top: number;
}

const readRanked = (piece: Piece, query: Ranking): RawBuilder<unknown> =>
  sql`select ${sql.ref(query.by)} as name, ${piece.source === 'logs' ? sql`1` : sql`requests`} as requests, quota
    from ${sql.table(piece.source)} where ${conditionsOf(piece, query)}`;

const unionOf = (reads: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(reads, sql` union all `);

/** One grouping of it all costs half of one for each piece and one of these. */
const largestIn = (rows: RawBuilder<unknown>, top: number): RawBuilder<unknown> =>
  sql`largest as materialized (select name from (${rows}) as ranked group by name
    order by sum(quota) desc, sum(requests) desc, name limit ${sql.lit(top)})`;

/** No rows, but columns of the right kinds. */
const noHours: Piece = { source: 'log_hours', seconds: 1, from: 0, before: 0 };

/**
 * Grouping is slow where tens of thousands share a month, so only those are grouped that can be among the largest. Of n
 * days and the edges of the span together, a name that spent L spent L / (n + 1) or more in one of them; and L is at
 * least what the last of any `top` spent. The largest of each day give a good L: few names remain.
 */
const largestByDay = (days: Piece, edges: readonly Piece[], query: Ranking): RawBuilder<unknown> => {
  const name = sql.ref(query.by);
  const [table, count] = [sql.table(days.source), days.before - days.from];
  const within = conditionsOf(days, query);
  const ofEdges = unionOf((edges.length === 0 ? [noHours] : edges).map((piece) => readRanked(piece, query)));
  const top = sql.lit(query.top);
  const isLikely = sql`quota * ${sql.lit(count + 1)} >= (select quota from bound)`;
  const among = sql`(select name from likely)`;
  return sql`edges as materialized
      (select name, sum(requests) as requests, sum(quota) as quota from (${ofEdges}) as ofedges group by name),
    seeds as materialized (select distinct name from (select ${name} as name from ${table} where ${within}
      order by quota desc limit ${sql.lit(query.top * count)}) as rows_of_seeds),
    bound as materialized (select case when count(*) < ${top} then 0 else min(quota) end as quota
      from (select sum(quota) as quota from ${table}
        where ${conditionsOf(days, { ...query, among: sql`(select name from seeds)` })}
        group by ${name} order by 1 desc limit ${top}) as sums_of_seeds),
    likely as materialized (select ${name} as name from ${table} where ${within} and ${isLikely}
      union select name from edges where ${isLikely}),
    ${largestIn(
      unionOf([
        sql`${readRanked(days, query)} and ${name} in ${among}`,
        sql`select name, requests, quota from edges where name in ${among}`,
      ]),
      query.top,
    )}`;
};

/** The names of the `top` largest spenders within a span, as the tables that a `with` makes: the last is `largest`. */
export const largestOf = (query: Ranking, summed: SummedDays): RawBuilder<unknown> => {
  const pieces = cover(query, summed);
  const filtered = filteredColumns(query.filter);
  const days = pieces.find(({ source }) => isDays(source) && hasOneRowADay(source, { filtered, by: query.by }));
  if (days !== undefined)
    return largestByDay(
      days,
      pieces.filter((piece) => piece !== days),
      query,
    );
  return largestIn(
    unionOf((pieces.length === 0 ? [noHours] : pieces).map((piece) => readRanked(piece, query))),
    query.top,
  );
};
