import { logType } from '@weir/contract/logs';
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool } from 'kysely';
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

const readOthers = (db: Database, { filter, after, limit }: Stretch): Promise<LogRow[]> =>
  readInOrder(db, [others(filter), within(spanOf(filter)), afterKey(after)], limit);

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
