import { logType } from '@weir/contract/logs';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from './database.ts';
import {
  type DayTable,
  dayTableFor,
  type Dimension,
  hoursPerDay,
  readSummedDays,
  type SummedDays,
} from './log-days.ts';
import { type ConsumptionFilter, consumptionOf, filteredColumns, hourSeconds } from './log-hours.ts';

/** Seconds. */
export const daySeconds = hoursPerDay * hourSeconds;

/** Unix seconds, from the first to before the second. */
export interface Span {
  readonly from: number;
  readonly before: number;
}

export interface Sums {
  readonly requests: number;
  /** Quota units. */
  readonly quota: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

type Source = 'logs' | 'log_hours' | DayTable;

/** A stretch of time, and the coarsest sums that cover it. Bounds are counted in units of `seconds`. */
interface Piece {
  readonly source: Source;
  readonly seconds: number;
  readonly from: number;
  readonly before: number;
}

interface Asked {
  readonly filter: ConsumptionFilter;
  readonly span: Span;
  /** Seconds of a bucket: a divisor or a multiple of an hour, or of a day; absent: everything is one. */
  readonly step?: number;
  readonly by?: Dimension;
  /** The values of `by` that are wanted, as what follows `in`; absent: all. */
  readonly among?: RawBuilder<unknown>;
}

/** The day table that answers the question; undefined: none knows what is asked for. */
const dayTable = ({ filter, step, by }: Asked): DayTable | undefined =>
  step !== undefined && step % daySeconds !== 0
    ? undefined
    : dayTableFor({ filtered: filteredColumns(filter), ...(by === undefined ? {} : { by }) });

const unitOf = (source: Source): number => {
  if (source === 'logs') return 1;
  return source === 'log_hours' ? hourSeconds : daySeconds;
};

const pieceOf = (source: Source, from: number, before: number): Piece[] =>
  from < before ? [{ source, seconds: unitOf(source), from, before }] : [];

/** Rows at the ragged ends, hours towards the middle, days in the middle: exact, and few rows wherever the span ends. */
const cover = (asked: Asked, days: SummedDays): Piece[] => {
  const { from, before } = asked.span;
  if (asked.step !== undefined && asked.step < hourSeconds) return pieceOf('logs', from, before);
  const [firstHour, lastHour] = [Math.ceil(from / hourSeconds), Math.floor(before / hourSeconds)];
  if (firstHour > lastHour) return pieceOf('logs', from, before);
  const edges = [...pieceOf('logs', from, firstHour * hourSeconds), ...pieceOf('logs', lastHour * hourSeconds, before)];
  const table = dayTable(asked);
  const firstDay = Math.max(Math.ceil(firstHour / hoursPerDay), days.from);
  const lastDay = Math.min(Math.floor(lastHour / hoursPerDay), days.before);
  if (table === undefined || firstDay >= lastDay) return [...edges, ...pieceOf('log_hours', firstHour, lastHour)];
  return [
    ...edges,
    ...pieceOf('log_hours', firstHour, firstDay * hoursPerDay),
    ...pieceOf(table, firstDay, lastDay),
    ...pieceOf('log_hours', lastDay * hoursPerDay, lastHour),
  ];
};

const columnOf = (source: Source): string =>
  source === 'logs' ? 'created_at' : source === 'log_hours' ? 'hour' : 'day';

/** `+` keeps an index out: within an hour of the log, SQLite would rather read all rows of a user (`logs.ts`). */
const conditionsOf = ({ source, from, before }: Piece, { filter, by, among }: Asked): RawBuilder<unknown> => {
  const column = sql.ref(columnOf(source));
  const rows = source === 'logs';
  const besides = rows ? [sql`type = ${sql.lit(logType.consume)}`] : [];
  const user = rows && filter.userId > 0 ? [sql`+user_id = ${filter.userId}`] : [];
  const others = consumptionOf(rows ? { ...filter, userId: 0 } : filter);
  const wanted =
    by === undefined || among === undefined
      ? []
      : [sql`${sql.raw(rows && by === 'user_id' ? '+' : '')}${sql.ref(by)} in ${among}`];
  const range = [sql`${column} >= ${from}`, sql`${column} < ${before}`];
  return sql.join([...range, ...besides, ...user, ...others, ...wanted], sql` and `);
};

/** The number of a bucket. Where buckets are rows of the table they are read in its order, and need no sorting. */
const bucketOf = ({ source, seconds }: Piece, step: number): RawBuilder<unknown> => {
  const column = sql.ref(columnOf(source));
  return step <= seconds ? column : sql`${column} / ${sql.lit(step / seconds)}`;
};

/** The sums of one piece; its buckets are numbered by `step`. */
const readPiece = (piece: Piece, asked: Asked): RawBuilder<unknown> => {
  const { step, by } = asked;
  const requests = piece.source === 'logs' ? sql`count(*)` : sql`sum(requests)`;
  const bucket = step === undefined ? sql`0` : bucketOf(piece, step);
  const key = by === undefined ? sql`''` : sql.ref(by);
  const groups = [...(step === undefined ? [] : [sql`1`]), ...(by === undefined ? [] : [sql`2`])];
  return sql`select ${bucket} as bucket, ${key} as name, ${requests} as requests, sum(quota) as quota,
    sum(prompt_tokens) as prompt, sum(completion_tokens) as completion
    from ${sql.table(piece.source)} where ${conditionsOf(piece, asked)}
    ${groups.length === 0 ? sql`` : sql`group by ${sql.join(groups)}`}`;
};

/** What ranks the values of `by`, row by row: one grouping of it all costs half of one for each piece and one of these. */
const readRanked = (piece: Piece, asked: Asked & { readonly by: Dimension }): RawBuilder<unknown> =>
  sql`select ${sql.ref(asked.by)} as name, ${piece.source === 'logs' ? sql`1` : sql`requests`} as requests, quota
    from ${sql.table(piece.source)} where ${conditionsOf(piece, asked)}`;

interface SumRow {
  readonly bucket: number;
  readonly name: string | null;
  readonly requests: number;
  readonly quota: number;
  readonly prompt: number;
  readonly completion: number;
}

const added = sql`coalesce(sum(requests), 0) as requests, coalesce(sum(quota), 0) as quota,
  coalesce(sum(prompt), 0) as prompt, coalesce(sum(completion), 0) as completion`;

/** A piece of nothing, where the span is empty. */
const nothing = sql`select 0 as bucket, '' as name, 0 as requests, 0 as quota, 0 as prompt, 0 as completion where 1 = 0`;

/** All pieces one after another, as `read` reads each: not yet added together. */
const piecesOf = async <A extends Asked>(
  db: Database,
  asked: A,
  read: (piece: Piece, asked: A) => RawBuilder<unknown> = readPiece,
): Promise<RawBuilder<unknown>> => {
  const pieces = cover(asked, await readSummedDays(db.query));
  return pieces.length === 0
    ? nothing
    : sql.join(
        pieces.map((piece) => read(piece, asked)),
        sql` union all `,
      );
};

const sumsOf = (row: SumRow): Sums => ({
  requests: Number(row.requests),
  quota: Number(row.quota),
  promptTokens: Number(row.prompt),
  completionTokens: Number(row.completion),
});

/** What was consumed within a span, exactly. */
export const sumConsumption = async (
  db: Database,
  asked: { readonly filter: ConsumptionFilter; readonly span: Span },
): Promise<Sums> => {
  const { rows } = await sql<SumRow>`select ${added} from (${await piecesOf(db, asked)}) as pieces`.execute(db.query);
  const [row] = rows;
  return row === undefined ? { requests: 0, quota: 0, promptTokens: 0, completionTokens: 0 } : sumsOf(row);
};

export interface Bucket extends Sums {
  /** Unix seconds at which it begins. */
  readonly at: number;
}

/** The same in buckets of `step` seconds, counted from 1970; those without any are left out. Oldest first. */
export const sumBuckets = async (
  db: Database,
  asked: { readonly filter: ConsumptionFilter; readonly span: Span; readonly step: number },
): Promise<Bucket[]> => {
  const { rows } = await sql<SumRow>`select bucket, ${added} from (${await piecesOf(db, asked)}) as pieces
    group by bucket order by bucket`.execute(db.query);
  return rows.map((row) => ({ ...sumsOf(row), at: Number(row.bucket) * asked.step }));
};

/** One of the largest, or with `name` null the rest together. */
export interface NamedBucket extends Bucket {
  readonly name: string | null;
}

const less = (one: Sums, other: Sums): Sums => ({
  requests: one.requests - other.requests,
  quota: one.quota - other.quota,
  promptTokens: one.promptTokens - other.promptTokens,
  completionTokens: one.completionTokens - other.completionTokens,
});

/**
 * The same for each of the `top` largest spenders of a dimension, and for the others together. Of those only what all
 * spent is read, so that a picture of seven costs no more where there are a hundred thousand.
 */
export const sumNamedBuckets = async (
  db: Database,
  {
    top,
    ...asked
  }: {
    readonly filter: ConsumptionFilter;
    readonly span: Span;
    readonly step: number;
    readonly by: Dimension;
    readonly top: number;
  },
): Promise<NamedBucket[]> => {
  const { filter, span, step, by } = asked;
  const [ofEach, ofLargest, ofAll] = [
    await piecesOf(db, { filter, span, by }, readRanked),
    await piecesOf(db, { ...asked, among: sql`(select name from largest)` }),
    await piecesOf(db, { filter, span, step }),
  ];
  const { rows } = await sql<SumRow>`with largest as materialized (select name from (${ofEach}) as pieces group by name
      order by sum(quota) desc, sum(requests) desc, name limit ${sql.lit(top)})
    select bucket, cast(name as text) as name, ${added} from (${ofLargest}) as pieces group by 1, 2
    union all select bucket, null as name, ${added} from (${ofAll}) as pieces group by 1
    order by 1`.execute(db.query);
  const buckets = rows.map((row) => ({ ...sumsOf(row), name: row.name, at: Number(row.bucket) * step }));
  const named = Map.groupBy(
    buckets.filter(({ name }) => name !== null),
    ({ at }) => at,
  );
  return buckets
    .map((bucket) =>
      bucket.name === null ? { ...bucket, ...(named.get(bucket.at) ?? []).reduce(less, bucket) } : bucket,
    )
    .filter(({ name, requests }) => name !== null || requests > 0);
};

const numbered: ReadonlySet<Dimension> = new Set<Dimension>(['user_id', 'channel_id']);

/** The same for named ones of a dimension, over the whole span. */
export const sumNames = async (
  db: Database,
  asked: {
    readonly filter: ConsumptionFilter;
    readonly span: Span;
    readonly by: Dimension;
    readonly names: readonly string[];
  },
): Promise<ReadonlyMap<string, Sums>> => {
  if (asked.names.length === 0) return new Map();
  const values = asked.names.map((name) => (numbered.has(asked.by) ? Number(name) : name));
  const pieces = await piecesOf(db, { ...asked, among: sql`(${sql.join(values)})` });
  const { rows } = await sql<SumRow>`select cast(name as text) as name, ${added} from (${pieces}) as pieces
    group by 1`.execute(db.query);
  return new Map(rows.map((row) => [row.name ?? '', sumsOf(row)]));
};
