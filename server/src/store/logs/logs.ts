import { logType } from '@weir/contract/logs';
import { type Expression, type ExpressionBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { Database } from '../database.ts';
import { findRowAt } from './log-counts.ts';
import {
  type Conditions,
  filtered,
  type LogFilter,
  ofType,
  others,
  spanOf,
  wantsConsumption,
  wantsOthers,
  within,
} from './log-filter.ts';
import { hoursBack, hourSeconds } from './log-hours.ts';
import { sumConsumption } from './log-sums.ts';
import { anchorsByDatabase, readPage } from '../pages.ts';
import type { NewLog } from './log-columns.ts';
import type { LogsTable, Schema } from '../schema.ts';

export type LogRow = Selectable<LogsTable>;

/** The last row of a page, which the next page continues after. */
export type LogKey = Pick<LogRow, 'id' | 'created_at'>;

const anchorsOf = anchorsByDatabase<LogKey>();

/** Later than any row. */
const noRow = Number.MAX_SAFE_INTEGER;

/** Part of a list. */
export interface Stretch {
  readonly filter: LogFilter;
  readonly after: LogKey | undefined;
  readonly limit: number;
}

/**
 * Rows of one user, as a range of the index on users: for `user_id = …` PostgreSQL may walk from the newest row of all,
 * which is slow if the user has made no call for a long time.
 */
const ofUser = (eb: ExpressionBuilder<Schema, 'logs'>, userId: number, before: number): Expression<SqlBool>[] => [
  eb('user_id', '>=', userId),
  eb(eb.refTuple('user_id', 'id'), '<', eb.tuple(userId, before)),
];

/** Rows of a user, or all of them: newest first from an index that already has that order. */
const readByIndex = (db: Database, { filter, after, limit }: Stretch): Promise<LogRow[]> => {
  const { userId, type } = filter;
  const before = after?.id ?? noRow;
  const rows = db.read
    .selectFrom('logs')
    .selectAll()
    .where((eb) =>
      eb.and([...ofType(type)(eb), ...(userId > 0 ? ofUser(eb, userId, before) : [eb('id', '<', before)])]),
    );
  return (userId > 0 ? rows.orderBy('user_id', 'desc') : rows).orderBy('id', 'desc').limit(limit).execute();
};

const afterKey =
  (after: LogKey | undefined): Conditions =>
  (eb) =>
    after === undefined
      ? []
      : [
          eb('created_at', '<=', after.created_at),
          eb.or([eb('created_at', '<', after.created_at), eb('id', '<', after.id)]),
        ];

const readInOrder = (db: Database, conditions: readonly Conditions[], limit: number): Promise<LogRow[]> =>
  db.read
    .selectFrom('logs')
    .selectAll()
    .where((eb) => eb.and(conditions.flatMap((of) => of(eb))))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Consumption, hour by hour: the sums have the hours with any of it. */
const readConsumption = async (db: Database, { filter, after, limit }: Stretch): Promise<LogRow[]> => {
  const span = spanOf(filter);
  const before = after === undefined ? span.before : Math.min(span.before, after.created_at + 1);
  const rows: LogRow[] = [];
  for await (const hour of hoursBack(db, { filter, from: span.from, before })) {
    const at = { from: Math.max(span.from, hour * hourSeconds), before: Math.min(before, (hour + 1) * hourSeconds) };
    const conditions = [ofType(logType.consume), filtered(filter), within(at), afterKey(after)];
    rows.push(...(await readInOrder(db, conditions, limit - rows.length)));
    if (rows.length >= limit) break;
  }
  return rows;
};

/** A column of the filter that has an index of its own over records that are no consumption. */
interface Lead {
  readonly column: 'user_id' | 'token_name' | 'model_name' | 'channel_id';
  readonly value: number | string;
  /** The filter without it. */
  readonly rest: LogFilter;
}

const leadOf = (filter: LogFilter): Lead | undefined => {
  const { userId, tokenName, modelName, channelId } = filter;
  if (userId > 0) return { column: 'user_id', value: userId, rest: { ...filter, userId: 0 } };
  if (tokenName !== '') return { column: 'token_name', value: tokenName, rest: { ...filter, tokenName: '' } };
  if (modelName !== '') return { column: 'model_name', value: modelName, rest: { ...filter, modelName: '' } };
  return channelId > 0 ? { column: 'channel_id', value: channelId, rest: { ...filter, channelId: 0 } } : undefined;
};

/**
 * The same as a range of the lead's index. For `token_name = …` PostgreSQL may walk through all records from the newest
 * on: a name that many calls have may be in few of these records, or in none.
 */
const readOthersOf = (db: Database, { column, value, rest }: Lead, { filter, after, limit }: Stretch) => {
  const { from, before } = spanOf(filter);
  const isFirst = after === undefined || after.created_at >= before;
  const [at, id] = isFirst ? [before, 0] : [after.created_at, after.id];
  const lead = sql.ref(column);
  return db.read
    .selectFrom('logs')
    .selectAll()
    .where((eb) =>
      eb.and([
        ...others(rest)(eb),
        sql<boolean>`(${lead}, created_at) >= (${value}, ${from})`,
        sql<boolean>`(${lead}, created_at, id) < (${value}, ${at}, ${id})`,
      ]),
    )
    .orderBy(column, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
};

const readOthers = (db: Database, stretch: Stretch): Promise<LogRow[]> => {
  const { filter, after, limit } = stretch;
  const lead = db.kind === 'postgres' ? leadOf(filter) : undefined;
  if (lead !== undefined) return readOthersOf(db, lead, stretch);
  return readInOrder(db, [others(filter), within(spanOf(filter)), afterKey(after)], limit);
};

const newestFirst = (one: LogKey, other: LogKey): number => other.created_at - one.created_at || other.id - one.id;

const readFiltered = async (db: Database, stretch: Stretch): Promise<LogRow[]> => {
  const [consumed, rest] = await Promise.all([
    wantsConsumption(stretch.filter) ? readConsumption(db, stretch) : [],
    wantsOthers(stretch.filter) ? readOthers(db, stretch) : [],
  ]);
  return [...consumed, ...rest].toSorted(newestFirst).slice(0, stretch.limit);
};

const hasIndex = ({ type, tokenName, tokenId, modelName, channelId, start, end }: LogFilter): boolean =>
  wantsConsumption({ type }) && tokenName + modelName === '' && tokenId + channelId + start + end === 0;

/** The next `limit` rows after `after`, newest first. */
export const readLogs = (db: Database, stretch: Stretch): Promise<LogRow[]> =>
  hasIndex(stretch.filter) ? readByIndex(db, stretch) : readFiltered(db, stretch);

/** One page of the log, newest first. `reader` is the caller, so that the pages of two callers do not mix. */
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
    seek: (index) => findRowAt(db, { filter, index }),
  });

/** The consumption of a filter. */
export interface LogSum {
  /** Quota units. */
  readonly quota: number;
  /** Of prompts and completions together. */
  readonly tokens: number;
}

/** The consumption within the filter, for any `type`, exactly. */
export const sumLogs = async (db: Database, filter: LogFilter): Promise<LogSum> => {
  const { quota, promptTokens, completionTokens } = await sumConsumption(db, { filter, span: spanOf(filter) });
  return { quota, tokens: promptTokens + completionTokens };
};

/** Adds a row that moves no money; what does is logged by its posting. PostgreSQL stores no NUL of an upstream's words. */
export const insertLog = async (db: Database, row: NewLog): Promise<void> => {
  const content = row.content.replaceAll('\0', '');
  await db.write
    .insertInto('logs')
    .values({ ...row, content })
    .execute();
};
