import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { readSums } from './log-marks.ts';
import type { Dimension } from './log-sum-tables.ts';
import type { ConsumptionFilter } from './log-hours.ts';
import { rankedSums } from './log-largest.ts';
import { piecesOf, type Span } from './log-pieces.ts';

export interface Sums {
  readonly requests: number;
  /** Quota units. */
  readonly quota: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Nano-dollars: the known costs. More than a `number` holds exactly where a year cost millions. */
  readonly cost: bigint;
  /** Quota units of the calls whose cost is known. */
  readonly costed: number;
}

export const noSums: Sums = { requests: 0, quota: 0, promptTokens: 0, completionTokens: 0, cost: 0n, costed: 0 };

export const addSums = (one: Sums, other: Sums): Sums => ({
  requests: one.requests + other.requests,
  quota: one.quota + other.quota,
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  cost: one.cost + other.cost,
  costed: one.costed + other.costed,
});

export interface SumRow {
  readonly bucket: number;
  readonly name: string | null;
  readonly requests: number;
  readonly quota: number;
  readonly prompt: number;
  readonly completion: number;
  /** As text: it may be larger than what a driver reads as a number. */
  readonly cost: string;
  readonly costed: number;
}

export const added = sql`coalesce(sum(requests), 0) as requests, coalesce(sum(quota), 0) as quota,
  coalesce(sum(prompt), 0) as prompt, coalesce(sum(completion), 0) as completion,
  cast(coalesce(sum(cost), 0) as text) as cost, coalesce(sum(costed), 0) as costed`;

export const sumsOf = (row: SumRow): Sums => ({
  requests: Number(row.requests),
  quota: Number(row.quota),
  promptTokens: Number(row.prompt),
  completionTokens: Number(row.completion),
  cost: BigInt(row.cost),
  costed: Number(row.costed),
});

/** Consumption within a span, exactly. */
export const sumConsumption = async (
  db: Database,
  query: { readonly filter: ConsumptionFilter; readonly span: Span },
): Promise<Sums> => {
  const row = await readSums(db, (summed) => {
    const sums = sql<SumRow>`(select ${added} from (${piecesOf(query, summed)}) as pieces)`.as('sums');
    return db.read.selectFrom(sums).selectAll().executeTakeFirst();
  });
  return row === undefined ? noSums : sumsOf(row);
};

export interface Bucket extends Sums {
  /** Unix seconds at which it begins. */
  readonly at: number;
}

/** The same in buckets of `step` seconds, counted from 1970; those without any are left out. Oldest first. */
export const sumBuckets = async (
  db: Database,
  query: { readonly filter: ConsumptionFilter; readonly span: Span; readonly step: number },
): Promise<Bucket[]> => {
  const rows = await readSums(db, (summed) => {
    const pieces = piecesOf(query, summed);
    const sums = sql<SumRow>`(select bucket, ${added} from (${pieces}) as pieces group by bucket)`.as('sums');
    return db.read.selectFrom(sums).selectAll().orderBy('bucket').execute();
  });
  return rows.map((row) => ({ ...sumsOf(row), at: Number(row.bucket) * query.step }));
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
  cost: one.cost - other.cost,
  costed: one.costed - other.costed,
});

/** The same for each of the `top` largest spenders of a dimension, and for the others together. */
export const sumNamedBuckets = async (
  db: Database,
  query: {
    readonly filter: ConsumptionFilter;
    readonly span: Span;
    readonly step: number;
    readonly by: Dimension;
    readonly top: number;
  },
): Promise<NamedBucket[]> => {
  const rows = await readSums(db, (summed) => {
    const { tables, ofLargest, ofAll } = rankedSums({ ...query, kind: db.kind }, summed);
    const sums = sql<SumRow>`(with ${tables}
      select bucket, cast(name as text) as name, ${added} from (${ofLargest}) as pieces group by bucket, pieces.name
      union all select bucket, null as name, ${added} from (${ofAll}) as pieces group by 1)`.as('sums');
    return db.read.selectFrom(sums).selectAll().orderBy('bucket').execute();
  });
  const buckets = rows.map((row) => ({ ...sumsOf(row), name: row.name, at: Number(row.bucket) * query.step }));
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
  query: {
    readonly filter: ConsumptionFilter;
    readonly span: Span;
    readonly by: Dimension;
    readonly names: readonly string[];
  },
): Promise<ReadonlyMap<string, Sums>> => {
  if (query.names.length === 0) return new Map();
  const values = query.names.map((name) => (numbered.has(query.by) ? Number(name) : name));
  const rows = await readSums(db, (summed) => {
    const pieces = piecesOf({ ...query, among: sql`in (${sql.join(values)})` }, summed);
    const sums = sql<SumRow>`(select cast(name as text) as name, ${added} from (${pieces}) as pieces group by 1)`;
    return db.read.selectFrom(sums.as('sums')).selectAll().execute();
  });
  return new Map(rows.map((row) => [row.name ?? '', sumsOf(row)]));
};
