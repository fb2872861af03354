import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database.ts';
import type { Summed } from './log-marks.ts';
import { type DayTable, type Dimension, type HourTable, hourTableFor, totalsTableFor } from './log-sum-tables.ts';
import { filteredColumns } from './log-hours.ts';
import {
  conditionsOf,
  cover,
  integerSum,
  isDays,
  isHoursByName,
  type LogSumQuery,
  type Piece,
  readPiece,
  readPieces,
  readRows,
} from './log-pieces.ts';

interface Ranking extends LogSumQuery {
  readonly kind: Database['kind'];
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

type DayPiece = Piece & { readonly source: DayTable };
type HourPiece = Piece & { readonly source: HourTable };

const isOfDays = (piece: Piece): piece is DayPiece => isDays(piece.source);
const isOfHours = (piece: Piece): piece is HourPiece => isHoursByName(piece.source);

/**
 * The condition to be one of the names of a table of the `with`. As an array for PostgreSQL: what it expects of a select is
 * so many names that it would rather read all rows of the days.
 */
const amongNamesOf = (table: string, kind: Database['kind']): RawBuilder<unknown> => {
  const names = sql`(select name from ${sql.ref(table)})`;
  return kind === 'postgres' ? sql`= any (array${names})` : sql`in ${names}`;
};

const rankedBy = sql`${integerSum('requests')} as requests, ${integerSum('quota')} as quota`;

/** How names are ranked: tables that it takes, each followed by a comma, and rows with a name, calls and quota. */
interface RankedRows {
  readonly tables: RawBuilder<unknown>;
  readonly rows: RawBuilder<unknown>;
}

/** Tables with one row of each name on each day, and an index of day and quota. They may have tens of thousands of names. */
const manyNames: ReadonlySet<string> = new Set<DayTable>(['log_days_of_tokens', 'log_days_of_users']);

/**
 * The rows of names that can be among the `top` largest. To group all names of a month takes more than 40 ms
 * (docs/decisions/0014):
 *
 * 1. The span has n days, and edges beside them. A name with the sum S has S / (n + 1) or more in one of these parts.
 * 2. `seeds` are the `top` largest names of each day. `bound` is the sum of the last of the `top` largest seeds. Each of
 *    the `top` largest names has at least that, by definition.
 * 3. So a name with less than bound / (n + 1) in each part is not among them. `likely` are the others.
 */
const likelyRows = (days: DayPiece, hours: readonly HourPiece[], query: Ranking): RankedRows => {
  const [table, name, top] = [sql.table(days.source), sql.ref(query.by), sql.lit(query.top)];
  const parts = sql.lit(days.before - days.from + 1);
  const isLikely = sql`quota >= (select (quota + ${parts} - 1) / ${parts} from bound)`;
  /** Names of rows of days that the condition holds for. Day by day: PostgreSQL may read the whole table instead. */
  const namesWhere = (condition: RawBuilder<unknown>) => {
    const ofDay = sql`select ${name} as name from ${table} as sums where sums.day = thresholds.day and ${condition}`;
    return query.kind === 'postgres'
      ? sql`select name from thresholds cross join lateral (${ofDay} offset 0) as names`
      : sql`select ${name} as name from thresholds cross join ${table} as sums where sums.day = thresholds.day and ${condition}`;
  };
  const ofHours = hours.map(
    (piece) => sql`select ${name}, requests, quota from ${sql.table(piece.source)} where ${conditionsOf(piece, query)}`,
  );
  const atEdges = sql.join([sql`select name, requests, quota from edges`, ...ofHours], sql` union all `);
  const ofNames = (names: string) => conditionsOf(days, { ...query, among: amongNamesOf(names, query.kind) });
  return {
    tables: sql`thresholds as materialized (select day, coalesce((select quota from ${table} as ranked
          where ranked.day = log_days_summed.day order by quota desc limit 1 offset ${top} - 1), 0) as quota
        from log_days_summed where day >= ${days.from} and day < ${days.before}),
      seeds as materialized (select distinct name from (${namesWhere(sql`sums.quota >= thresholds.quota`)}) as largest_of_days),
      bound as materialized (select case when count(*) < ${top} then 0 else min(quota) end as quota
        from (select ${integerSum('quota')} as quota from ${table} where ${ofNames('seeds')}
          group by ${name} order by 1 desc limit ${top}) as sums_of_seeds),
      edge_sums as materialized (select name, ${rankedBy} from (${atEdges}) as rows_at_edges group by name),
      likely as materialized (
        ${namesWhere(sql`sums.${isLikely}`)}
        union select name from edge_sums where ${isLikely}),`,
    rows: sql`select ${name} as name, requests, quota from ${table} where ${ofNames('likely')}
      union all select name, requests, quota from edge_sums where name in (select name from likely)`,
  };
};

/**
 * From so many days on, SQLite reads an index of all days that is in the order of names faster than the rows of the days.
 * PostgreSQL finds the better way itself.
 */
const daysByName = 90;

const allRows = (pieces: readonly (HourPiece | DayPiece)[], query: Ranking): RankedRows => {
  const isSqlite = query.kind === 'sqlite';
  const isByName = (piece: Piece) => isSqlite && isOfDays(piece) && piece.before - piece.from >= daysByName;
  // PostgreSQL would group the names of each part, and then all of them.
  const ofPieces = pieces.map(
    (piece) => sql`select ${sql.ref(query.by)} as name, ${isSqlite ? rankedBy : sql`requests, quota`}
      from ${sql.table(piece.source)} where ${conditionsOf(piece, { ...query, isByName: isByName(piece) })}
      ${isSqlite ? sql`group by 1` : sql``}`,
  );
  return {
    tables: sql``,
    rows: sql.join([sql`select name, requests, quota from edges`, ...ofPieces], sql` union all `),
  };
};

/**
 * The sums of each of the `top` largest spenders of a dimension, and those of all of them. Hours of single keys and rows of the
 * log are read once; of hours by name and of days, few columns of all names, and then all columns of the largest.
 */
export const rankedSums = (query: Ranking, summed: Summed): RankedSums => {
  const { filter, step, top, kind } = query;
  const amongLargest = amongNamesOf('largest', kind);
  const pieces = cover(query, summed);
  const hours = pieces.filter(isOfHours);
  const first = pieces.find(isOfDays);
  const isOfMany = first !== undefined && manyNames.has(first.source);
  const sums = [...hours, ...(isOfMany ? [first] : pieces.filter(isOfDays))];
  const edges = pieces.filter((piece) => !sums.some((other) => other === piece));
  const { tables, rows } = isOfMany ? likelyRows(first, hours, query) : allRows(sums, query);
  const filtered = filteredColumns(filter);
  const totalsTable = { hour: hourTableFor({ filtered }), day: totalsTableFor(filtered) };
  // PostgreSQL adds rows up by hashing, so once is enough; SQLite sorts them, and a table's own order spares that.
  const readColumns = kind === 'postgres' ? readRows : readPiece;
  const ofSums = sums.map((piece) => readColumns(piece, { ...query, among: amongLargest }));
  const totals = sums.map((piece) => {
    const source = (isOfDays(piece) ? totalsTable.day : totalsTable.hour) ?? piece.source;
    return sql`(${readColumns({ ...piece, source }, { filter, span: query.span, step })}) as totals`;
  });
  const columns = sql`bucket, requests, quota, prompt, completion, cost, costed`;
  return {
    tables: sql`edges as materialized (${readPieces(edges, query)}), ${tables}
      largest as materialized (select name from (${rows}) as ranked group by name
        order by sum(quota) desc, sum(requests) desc, name limit ${sql.lit(top)})`,
    ofLargest: sql.join([sql`select * from edges where name ${amongLargest}`, ...ofSums], sql` union all `),
    // Without names, which are numbers or texts.
    ofAll: sql.join(
      [sql`edges`, ...totals].map((from) => sql`select ${columns} from ${from}`),
      sql` union all `,
    ),
  };
};
