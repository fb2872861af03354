import { logType } from '@weir/contract/logs';
import { sql, type Selectable } from 'kysely';
import type { Database } from '../database.ts';
import { anchorsByDatabase, readPage } from '../pages.ts';
import type { RefusalsTable } from './refusal-tables.ts';
import { refusalSlotSeconds } from './refusals.ts';

export type RefusalRow = Selectable<RefusalsTable>;

/** 0 and empty text are filters not set. */
export interface RefusalFilter {
  readonly userId: number;
  readonly tokenName: string;
  readonly tokenId: number;
  readonly modelName: string;
  /** Refused calls have no channel: none has one of a number. */
  readonly channelId: number;
  /** Unix seconds, inclusive, as `end`. */
  readonly start: number;
  readonly end: number;
}

const noFilter: RefusalFilter = {
  userId: 0,
  tokenName: '',
  tokenId: 0,
  modelName: '',
  channelId: 0,
  start: 0,
  end: 0,
};

/** The last record of a page, which the next page continues after. */
export type RefusalKey = Pick<RefusalRow, 'id' | 'created_at'>;

const anchorsOf = anchorsByDatabase<RefusalKey>();

const matching = (db: Database, filter: RefusalFilter) => {
  let rows = db.read.selectFrom('refusals');
  if (filter.userId > 0) rows = rows.where('user_id', '=', filter.userId);
  if (filter.tokenName !== '') rows = rows.where('token_name', '=', filter.tokenName);
  if (filter.tokenId > 0) rows = rows.where('token_id', '=', filter.tokenId);
  if (filter.modelName !== '') rows = rows.where('model_name', '=', filter.modelName);
  if (filter.start > 0) rows = rows.where('created_at', '>=', filter.start);
  if (filter.end > 0) rows = rows.where('created_at', '<=', filter.end);
  return rows;
};

interface RefusalStretch {
  readonly filter: RefusalFilter;
  readonly after: RefusalKey | undefined;
  readonly limit: number;
}

/** The next `limit` records after `after`, newest first. */
export const readRefusals = async (
  db: Database,
  { filter, after, limit }: RefusalStretch,
): Promise<readonly RefusalRow[]> => {
  if (filter.channelId > 0) return [];
  const rows = matching(db, filter).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);
  return (
    after === undefined
      ? rows
      : rows.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.created_at, after.id)))
  ).execute();
};

/** One page of the records, newest first. `reader` is the caller. The table is bounded, so a page may be counted to. */
export const listRefusals = (
  db: Database,
  { filter, page, reader }: { readonly filter: RefusalFilter; readonly page: number; readonly reader: number },
): Promise<readonly RefusalRow[]> =>
  readPage({
    anchors: anchorsOf(db),
    list: `${reader} ${JSON.stringify(filter)}`,
    page,
    keyOf: ({ id, created_at }: RefusalRow) => ({ id, created_at }),
    read: (after, limit) => readRefusals(db, { filter, after, limit }),
    seek: (index) =>
      matching(db, filter)
        .select(['id', 'created_at'])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(index)
        .limit(1)
        .executeTakeFirst(),
  });

/** Records in buckets of `step` seconds, counted from 1970; those without any are left out. */
export const countRefusalRows = async (
  db: Database,
  { filter, step }: { readonly filter: RefusalFilter; readonly step: number },
): Promise<{ readonly at: number; readonly records: number }[]> => {
  if (filter.channelId > 0) return [];
  const rows = await matching(db, filter)
    .select((eb) => [
      sql<number | string>`created_at / ${sql.lit(step)}`.as('bucket'),
      eb.fn.countAll<number | string>().as('records'),
    ])
    .groupBy('bucket')
    .orderBy('bucket')
    .execute();
  return rows.map(({ bucket, records }) => ({ at: Number(bucket) * step, records: Number(records) }));
};

/** The records of a request id: one, or none where the call was only counted. `userId` 0: of any user. */
const findRefusalsOf = (
  db: Database,
  { userId, requestId }: { readonly userId: number; readonly requestId: string },
): Promise<RefusalRow[]> => {
  const rows = db.read.selectFrom('refusals').selectAll().where('request_id', '=', requestId);
  return (userId > 0 ? rows.where('user_id', '=', userId) : rows).execute();
};

const foundMax = 100;

/** The newest records, where a keyword is their type; those of a request id; otherwise none. */
export const searchRefusals = async (
  db: Database,
  { userId, keyword }: { readonly userId: number; readonly keyword: string },
): Promise<readonly RefusalRow[]> => {
  if (/^\d{20,40}$/.test(keyword)) return findRefusalsOf(db, { userId, requestId: keyword });
  if (keyword !== String(logType.refused)) return [];
  return readRefusals(db, { filter: { ...noFilter, userId }, after: undefined, limit: foundMax });
};

/** A record, and how many calls were refused like it within its quarter of an hour. */
export const findRefusal = async (
  db: Database,
  id: number,
): Promise<{ readonly row: RefusalRow; readonly similar: number } | undefined> => {
  const row = await db.read.selectFrom('refusals').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  const sum = await db.read
    .selectFrom('refusal_sums')
    .select('count')
    .where('slot', '=', Math.floor(row.created_at / refusalSlotSeconds))
    .where('user_id', '=', row.user_id)
    .where('token_id', '=', row.token_id)
    .where('rule', '=', row.rule)
    .where('network', '=', row.network)
    .executeTakeFirst();
  return { row, similar: Math.max(1, sum?.count ?? 0) };
};
