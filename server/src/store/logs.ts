import { logType } from '@weir/contract/logs';
import { type Expression, type ExpressionBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { Database } from './database.ts';
import { type ConsumptionFilter, hourSeconds, listHours, type LogSum, sumHours } from './log-hours.ts';
import { anchorsByDatabase, readPage } from './pages.ts';
import type { NewLog } from './postings.ts';
import type { LogsTable, Schema } from './schema.ts';

export type LogRow = Selectable<LogsTable>;

/** 0 and empty text are filters not set. Users are filtered by id: a row keeps the name that its user had. */
export interface LogFilter extends ConsumptionFilter {
  readonly type: number;
  /** Unix seconds, inclusive, as `end`. */
  readonly start: number;
  readonly end: number;
}

/** The last row of a page, which the next page continues after. */
export type LogKey = Pick<LogRow, 'id' | 'created_at'>;
type Conditions = (eb: ExpressionBuilder<Schema, 'logs'>) => Expression<SqlBool>[];

const anchorsOf = anchorsByDatabase<LogKey>();

/** Later than any hour. */
const hoursMax = Math.floor(Number.MAX_SAFE_INTEGER / hourSeconds);
/** Hours looked up at a time: most pages need no more. */
const hoursAtOnce = 24;

const ofType = (eb: ExpressionBuilder<Schema, 'logs'>, type: number): Expression<SqlBool>[] => {
  if (type === logType.all) return [];
  // The index on `type` leaves consumption out, and is used where a query says literally that it does so too.
  return type === logType.consume ? [eb('type', '=', type)] : [eb('type', '=', type), eb('type', '<>', eb.lit(2))];
};

/** Later than any row. */
const noRow = Number.MAX_SAFE_INTEGER;

/**
 * Rows of one user, said as a range of the index on users: of `user_id = …` PostgreSQL may make a walk from the newest
 * row of all, which is long where the user was not here for long.
 */
const ofUser = (eb: ExpressionBuilder<Schema, 'logs'>, userId: number, before: number): Expression<SqlBool>[] => [
  eb('user_id', '>=', userId),
  eb(eb.refTuple('user_id', 'id'), '<', eb.tuple(userId, before)),
];

/** Rows of a user or a type, or all of them: newest first from an index that already has that order. */
const readByIndex = (
  db: Database,
  { userId, type }: LogFilter,
  { after, limit }: { readonly after: LogKey | undefined; readonly limit: number },
): Promise<LogRow[]> => {
  const before = after?.id ?? noRow;
  const rows = db.query
    .selectFrom('logs')
    .selectAll()
    .where((eb) =>
      eb.and([...ofType(eb, type), ...(userId > 0 ? ofUser(eb, userId, before) : [eb('id', '<', before)])]),
    );
  return (userId > 0 ? rows.orderBy('user_id', 'desc') : rows).orderBy('id', 'desc').limit(limit).execute();
};

/**
 * What a row must be besides its type. `+` keeps an index out of a query (sqlite.org/optoverview.html; PostgreSQL sees
 * an expression too): within a range of time, SQLite would rather read all rows of a user than those of an hour.
 */
const filtered =
  (filter: LogFilter): Conditions =>
  (eb) => [
    ...(filter.userId > 0 ? [eb(sql<number>`+user_id`, '=', filter.userId)] : []),
    ...(filter.tokenName === '' ? [] : [eb('token_name', '=', filter.tokenName)]),
    ...(filter.modelName === '' ? [] : [eb('model_name', '=', filter.modelName)]),
    ...(filter.channelId > 0 ? [eb('channel_id', '=', filter.channelId)] : []),
  ];

type Time = Expression<number>;

const timed =
  ({ start, end }: Pick<LogFilter, 'start' | 'end'>, time: Time): Conditions =>
  (eb) => [...(start > 0 ? [eb(time, '>=', start)] : []), ...(end > 0 ? [eb(time, '<=', end)] : [])];

const afterKey =
  (after: LogKey | undefined, time: Time): Conditions =>
  (eb) =>
    after === undefined
      ? []
      : [eb(time, '<=', after.created_at), eb.or([eb(time, '<', after.created_at), eb('id', '<', after.id)])];

const readInOrder = (
  db: Database,
  conditions: readonly Conditions[],
  { time, limit }: { readonly time: Time; readonly limit: number },
): Promise<LogRow[]> =>
  db.query
    .selectFrom('logs')
    .selectAll()
    .where((eb) => eb.and(conditions.flatMap((of) => of(eb))))
    .orderBy(time, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Part of a list. */
export interface Stretch {
  readonly filter: LogFilter;
  readonly after: LogKey | undefined;
  readonly limit: number;
}

const byTime: Time = sql.ref<number>('created_at');
const consumption: Conditions = (eb) => [eb('type', '=', logType.consume)];

/** Consumption, hour by hour: the hourly sums say in which hours there is any of it. */
const readConsumption = async (db: Database, { filter, after, limit }: Stretch): Promise<LogRow[]> => {
  const newest = after?.created_at ?? filter.end;
  const from = Math.floor(filter.start / hourSeconds);
  let before = newest > 0 ? Math.floor(newest / hourSeconds) + 1 : hoursMax;
  const rows: LogRow[] = [];
  while (rows.length < limit) {
    const hours = await listHours(db, { filter, range: { from, before }, limit: hoursAtOnce });
    for (const hour of hours) {
      const start = Math.max(filter.start, hour * hourSeconds);
      const end = Math.min(filter.end || Infinity, (hour + 1) * hourSeconds - 1);
      const conditions = [consumption, filtered(filter), timed({ start, end }, byTime), afterKey(after, byTime)];
      rows.push(...(await readInOrder(db, conditions, { time: byTime, limit: limit - rows.length })));
      if (rows.length >= limit) break;
    }
    const last = hours.at(-1);
    if (last === undefined) break;
    before = last;
  }
  return rows;
};

/** What is no consumption is rare and has an index of its own, which the one on time must not keep out. */
const readOthers = (db: Database, { filter, after, limit }: Stretch): Promise<LogRow[]> => {
  const others: Conditions = (eb) => [
    eb('type', '<>', eb.lit(2)),
    ...(filter.type === logType.all ? [] : [eb('type', '=', filter.type)]),
  ];
  const time = sql<number>`+created_at`;
  return readInOrder(db, [others, filtered(filter), timed(filter, time), afterKey(after, time)], { time, limit });
};

const newestFirst = (one: LogKey, other: LogKey): number => other.created_at - one.created_at || other.id - one.id;

const readFiltered = async (db: Database, stretch: Stretch): Promise<LogRow[]> => {
  const { type } = stretch.filter;
  const [consumed, others] = await Promise.all([
    type === logType.all || type === logType.consume ? readConsumption(db, stretch) : [],
    type === logType.consume ? [] : readOthers(db, stretch),
  ]);
  return [...consumed, ...others].toSorted(newestFirst).slice(0, stretch.limit);
};

const hasIndex = ({ tokenName, modelName, channelId, start, end }: LogFilter): boolean =>
  tokenName === '' && modelName === '' && channelId === 0 && start === 0 && end === 0;

/** No filter at all. */
export const everything: LogFilter = {
  userId: 0,
  type: logType.all,
  tokenName: '',
  modelName: '',
  channelId: 0,
  start: 0,
  end: 0,
};

/** The next `limit` rows after `after`, newest first. */
export const readLogs = (db: Database, { filter, after, limit }: Stretch): Promise<LogRow[]> =>
  hasIndex(filter) ? readByIndex(db, filter, { after, limit }) : readFiltered(db, { filter, after, limit });

/** One page of the log, newest first. `reader` is who reads, so that two people's pages do not mix. */
export const listLogs = (
  db: Database,
  { filter, page, reader }: { readonly filter: LogFilter; readonly page: number; readonly reader: number },
): Promise<readonly LogRow[]> =>
  readPage({
    anchors: anchorsOf(db),
    list: `${reader} ${JSON.stringify(filter)}`,
    page,
    keyOf: ({ id, created_at }: LogRow) => ({ id, created_at }),
    read: (after, limit) => readLogs(db, { filter, after, limit }),
  });

const sumRows = async (db: Database, filter: LogFilter): Promise<LogSum> => {
  const row = await db.query
    .selectFrom('logs')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('quota'), eb.lit(0)).as('quota'),
      eb.fn.coalesce(eb.fn.sum<number>(eb('prompt_tokens', '+', eb.ref('completion_tokens'))), eb.lit(0)).as('tokens'),
    ])
    .where((eb) => eb.and([consumption, filtered(filter), timed(filter, byTime)].flatMap((of) => of(eb))))
    .executeTakeFirstOrThrow();
  return { quota: Number(row.quota), tokens: Number(row.tokens) };
};

/**
 * What was consumed within the filter, whatever its `type`. Whole hours come from the hourly sums; the hours in which
 * the range begins and ends are summed row by row, so the result is exact.
 */
export const sumLogs = async (db: Database, filter: LogFilter): Promise<LogSum> => {
  const { start, end } = filter;
  const from = Math.ceil(start / hourSeconds);
  const before = end > 0 ? Math.floor((end + 1) / hourSeconds) : hoursMax;
  if (from >= before) return sumRows(db, filter);
  const edges: LogFilter[] = [
    ...(start % hourSeconds === 0 ? [] : [{ ...filter, end: from * hourSeconds - 1 }]),
    ...(end === 0 || (end + 1) % hourSeconds === 0 ? [] : [{ ...filter, start: before * hourSeconds }]),
  ];
  const parts = await Promise.all([...edges.map((edge) => sumRows(db, edge)), sumHours(db, filter, { from, before })]);
  return {
    quota: parts.reduce((sum, part) => sum + part.quota, 0),
    tokens: parts.reduce((sum, part) => sum + part.tokens, 0),
  };
};

/** Adds a row that moves no money; what does is logged by its posting. PostgreSQL stores no NUL of an upstream's words. */
export const insertLog = async (db: Database, row: NewLog): Promise<void> => {
  const content = row.content.replaceAll('\0', '');
  await db.query
    .insertInto('logs')
    .values({ ...row, content })
    .execute();
};
