import { logType } from '@weir/contract/logs';
import { sql, type RawBuilder } from 'kysely';
import { type HourRange, splitByName, splitHours, type Summed } from './log-marks.ts';
import {
  type DayTable,
  dayTableFor,
  dayTables,
  type Dimension,
  followsPeriod,
  hasRowADay,
  hoursPerDay,
  type HourTable,
  hourTableFor,
  type SumTable,
  totalsTableFor,
} from './log-sum-tables.ts';
import { type ConsumptionFilter, consumptionOf, filteredColumns, hourSeconds } from './log-hours.ts';

/** Seconds. */
export const daySeconds = hoursPerDay * hourSeconds;

/** Unix seconds, from the first to before the second. */
export interface Span {
  readonly from: number;
  readonly before: number;
}

type Source = 'logs' | 'log_hours' | HourTable | DayTable;

const daysOf: ReadonlySet<Source> = new Set(dayTables);
export const isDays = (source: Source): source is DayTable => daysOf.has(source);
export const isHoursByName = (source: Source): source is HourTable =>
  source !== 'logs' && source !== 'log_hours' && !isDays(source);

/** A stretch of time, and the coarsest sums that cover it. Bounds are counted in units of `seconds`. */
export interface Piece {
  readonly source: Source;
  readonly seconds: number;
  readonly from: number;
  readonly before: number;
}

export interface LogSumQuery {
  readonly filter: ConsumptionFilter;
  readonly span: Span;
  /** Seconds of a bucket: a divisor or a multiple of an hour, or of a day; absent: everything is one. */
  readonly step?: number;
  readonly by?: Dimension;
  /** The few values of `by` to read, as a condition without its left side: `in (1, 2)`; absent: all. */
  readonly among?: RawBuilder<unknown>;
  /** Keeps SQLite from reading a table in the order of its days: names in the order of an index need no sorting. */
  readonly isByName?: boolean;
}

/** The day table for the query; undefined: none has all its columns. */
const dayTable = ({ filter, step, by }: LogSumQuery): DayTable | undefined => {
  if (step !== undefined && step % daySeconds !== 0) return undefined;
  const filtered = filteredColumns(filter);
  return by === undefined ? totalsTableFor(filtered) : dayTableFor({ filtered, by });
};

const unitOf = (source: Source): number => {
  if (source === 'logs') return 1;
  return isDays(source) ? daySeconds : hourSeconds;
};

const pieceOf = (source: Source, from: number, before: number): Piece[] =>
  from < before ? [{ source, seconds: unitOf(source), from, before }] : [];

const hourTableOf = ({ filter, by }: LogSumQuery): HourTable | undefined =>
  hourTableFor({ filtered: filteredColumns(filter), ...(by === undefined ? {} : { by }) });

const piecesOfHours = (range: HourRange, table: HourTable | undefined, named: readonly HourRange[]): Piece[] =>
  splitByName(range, table === undefined ? [] : named).flatMap(({ isNamed, from, before }) =>
    pieceOf(isNamed && table !== undefined ? table : 'log_hours', from, before),
  );

/** Rows at the ragged ends, hours towards the middle, days in the middle: exact, and few rows wherever the span ends. */
export const cover = (query: LogSumQuery, summed: Summed): Piece[] => {
  const { from, before } = query.span;
  if (query.step !== undefined && query.step < hourSeconds) return pieceOf('logs', from, before);
  const [firstHour, lastHour] = [Math.ceil(from / hourSeconds), Math.floor(before / hourSeconds)];
  if (firstHour > lastHour) return pieceOf('logs', from, before);
  const edges = [...pieceOf('logs', from, firstHour * hourSeconds), ...pieceOf('logs', lastHour * hourSeconds, before)];
  const [table, hourTable] = [dayTable(query), hourTableOf(query)];
  const stretches = splitHours({ from: firstHour, before: lastHour }, table === undefined ? [] : summed.days);
  const covered = stretches.flatMap((stretch) =>
    stretch.unit === 'day' && table !== undefined
      ? pieceOf(table, stretch.from, stretch.before)
      : piecesOfHours(stretch, hourTable, summed.hours),
  );
  return [...edges, ...covered];
};

const columnOf = (source: Source): string => (source === 'logs' ? 'created_at' : isDays(source) ? 'day' : 'hour');

/**
 * Days or hours in which a few values are looked up are named one by one, where the table is in the order of both: so many
 * times a few rows are read, and not all there are of those days.
 */
const rangeOf = ({ source, from, before }: Piece, query: LogSumQuery): RawBuilder<unknown> => {
  const { filter, by, among, isByName } = query;
  const column = sql.ref(columnOf(source));
  const looksUp = (table: SumTable) =>
    (by !== undefined && among !== undefined && followsPeriod(table, by)) ||
    (isDays(table) && hasRowADay(table, filteredColumns(filter)));
  if (source !== 'logs' && source !== 'log_hours' && looksUp(source)) {
    return sql`${column} in (${sql.join(Array.from({ length: before - from }, (_, index) => from + index))})`;
  }
  const plus = sql.raw(isByName === true ? '+' : '');
  return sql`${plus}${column} >= ${from} and ${plus}${column} < ${before}`;
};

/** `+` keeps an index out: within an hour of the log, SQLite would rather read all rows of a user (`logs.ts`). */
export const conditionsOf = (piece: Piece, query: LogSumQuery): RawBuilder<unknown> => {
  const { source } = piece;
  const { filter, by, among } = query;
  const rows = source === 'logs';
  const besides = rows ? [sql`type = ${sql.lit(logType.consume)}`] : [];
  const user = rows && filter.userId > 0 ? [sql`+user_id = ${filter.userId}`] : [];
  const others = consumptionOf(rows ? { ...filter, userId: 0 } : filter);
  const wanted =
    by === undefined || among === undefined
      ? []
      : [sql`${sql.raw(rows && by === 'user_id' ? '+' : '')}${sql.ref(by)} ${among}`];
  return sql.join([rangeOf(piece, query), ...besides, ...user, ...others, ...wanted], sql` and `);
};

/**
 * The number of a bucket. Where buckets are rows of the table they are read in its order, and need no sorting. That of a piece
 * within one bucket is constant: of a quotient PostgreSQL expects as many groups as rows, and sorts those.
 */
const bucketOf = ({ source, seconds, from, before }: Piece, step: number): RawBuilder<unknown> => {
  const column = sql.ref(columnOf(source));
  if (step <= seconds) return column;
  const units = step / seconds;
  const first = Math.floor(from / units);
  return first === Math.floor((before - 1) / units)
    ? sql`cast(${sql.lit(first)} as bigint)`
    : sql`${column} / ${sql.lit(units)}`;
};

/**
 * A sum as an integer. PostgreSQL's own is `numeric`: it takes longer to add up again, divides otherwise, and no index of integers
 * is used to compare with it.
 */
export const integerSum = (expression: string): RawBuilder<unknown> => sql`cast(sum(${sql.raw(expression)}) as bigint)`;

const keysOf = (piece: Piece, { step, by }: LogSumQuery): RawBuilder<unknown> => {
  const bucket = step === undefined ? sql`0` : bucketOf(piece, step);
  const name = by === undefined ? sql`''` : sql.ref(by);
  return sql`${bucket} as bucket, ${name} as name`;
};

/** The sums of one piece; its buckets are numbered by `step`. */
export const readPiece = (piece: Piece, query: LogSumQuery): RawBuilder<unknown> => {
  const { step, by } = query;
  const ofRows = piece.source === 'logs';
  const requests = ofRows ? sql`count(*)` : integerSum('requests');
  const cost = ofRows ? 'case when cost >= 0 then cost else 0 end' : 'cost';
  const costed = ofRows ? 'case when cost >= 0 then quota else 0 end' : 'costed';
  const groups = [...(step === undefined ? [] : [sql`1`]), ...(by === undefined ? [] : [sql`2`])];
  return sql`select ${keysOf(piece, query)}, ${requests} as requests, ${integerSum('quota')} as quota,
    ${integerSum('prompt_tokens')} as prompt, ${integerSum('completion_tokens')} as completion,
    ${integerSum(cost)} as cost, ${integerSum(costed)} as costed
    from ${sql.table(piece.source)} where ${conditionsOf(piece, query)}
    ${groups.length === 0 ? sql`` : sql`group by ${sql.join(groups)}`}`;
};

/** The rows of a piece of hours or days, each with the bucket and the name that it counts for. */
export const readRows = (piece: Piece, query: LogSumQuery): RawBuilder<unknown> =>
  sql`select ${keysOf(piece, query)}, requests, quota, prompt_tokens as prompt, completion_tokens as completion, cost, costed
    from ${sql.table(piece.source)} where ${conditionsOf(piece, query)}`;

/** No rows, but columns of the right types. */
const noHours: Piece = { source: 'log_hours', seconds: hourSeconds, from: 0, before: 0 };

/** The sums of pieces one after another: not yet added together. */
export const readPieces = (pieces: readonly Piece[], query: LogSumQuery): RawBuilder<unknown> =>
  sql.join(
    (pieces.length === 0 ? [noHours] : pieces).map((piece) => readPiece(piece, query)),
    sql` union all `,
  );

/** The sums of all pieces of the query's span. */
export const piecesOf = (query: LogSumQuery, summed: Summed): RawBuilder<unknown> =>
  readPieces(cover(query, summed), query);
