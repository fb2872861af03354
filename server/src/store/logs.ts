import { logType } from '@weir/contract/logs';
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import type { Database } from './database.ts';
import { createPageAnchors, readPage } from './pages.ts';
import type { NewLog } from './postings.ts';
import type { LogsTable, Schema } from './schema.ts';

export type LogRow = Selectable<LogsTable>;

/** 0 and empty text are filters not set. Times are unix seconds, inclusive. */
export interface LogFilter {
  readonly userId: number;
  readonly type: number;
  readonly username: string;
  readonly tokenName: string;
  readonly modelName: string;
  readonly channelId: number;
  readonly start: number;
  readonly end: number;
}

const hourSeconds = 3600;
const anchors = createPageAnchors<number>();

const conditions = (eb: ExpressionBuilder<Schema, 'logs'>, filter: LogFilter): Expression<SqlBool>[] => [
  ...(filter.userId > 0 ? [eb('user_id', '=', filter.userId)] : []),
  ...(filter.username === '' ? [] : [eb('username', '=', filter.username)]),
  ...(filter.tokenName === '' ? [] : [eb('token_name', '=', filter.tokenName)]),
  ...(filter.modelName === '' ? [] : [eb('model_name', '=', filter.modelName)]),
  ...(filter.channelId > 0 ? [eb('channel_id', '=', filter.channelId)] : []),
  ...(filter.start > 0 ? [eb('created_at', '>=', filter.start)] : []),
  ...(filter.end > 0 ? [eb('created_at', '<=', filter.end)] : []),
];

/** One page of the log, newest first. `reader` is who reads, so that two people's pages do not mix. */
export const listLogs = (
  db: Database,
  { filter, page, reader }: { readonly filter: LogFilter; readonly page: number; readonly reader: number },
): Promise<readonly LogRow[]> =>
  readPage({
    anchors,
    list: `${reader} ${JSON.stringify(filter)}`,
    page,
    keyOf: (row: LogRow) => row.id,
    read: (after, limit) =>
      db.query
        .selectFrom('logs')
        .selectAll()
        .where((eb) =>
          eb.and([
            ...conditions(eb, filter),
            ...(filter.type > 0 ? [eb('type', '=', filter.type)] : []),
            ...(after === undefined ? [] : [eb('id', '<', after)]),
          ]),
        )
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
  });

export interface LogSum {
  readonly quota: number;
  readonly tokens: number;
}

const total = (sums: readonly LogSum[]): LogSum => ({
  quota: sums.reduce((sum, part) => sum + part.quota, 0),
  tokens: sums.reduce((sum, part) => sum + part.tokens, 0),
});

const sumRows = async (db: Database, filter: LogFilter): Promise<LogSum> => {
  const row = await db.query
    .selectFrom('logs')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('quota'), eb.lit(0)).as('quota'),
      eb.fn.coalesce(eb.fn.sum<number>(eb('prompt_tokens', '+', eb.ref('completion_tokens'))), eb.lit(0)).as('tokens'),
    ])
    .where((eb) => eb.and([eb('type', '=', logType.consume), ...conditions(eb, filter)]))
    .executeTakeFirstOrThrow();
  return { quota: Number(row.quota), tokens: Number(row.tokens) };
};

const sumHours = async (
  db: Database,
  filter: LogFilter,
  hours: { readonly from: number; readonly before: number },
): Promise<LogSum> => {
  let query = db.query
    .selectFrom('log_hours')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('quota'), eb.lit(0)).as('quota'),
      eb.fn.coalesce(eb.fn.sum<number>(eb('prompt_tokens', '+', eb.ref('completion_tokens'))), eb.lit(0)).as('tokens'),
    ])
    .where('hour', '>=', hours.from)
    .where('hour', '<', hours.before);
  if (filter.userId > 0) query = query.where('user_id', '=', filter.userId);
  if (filter.tokenName !== '') query = query.where('token_name', '=', filter.tokenName);
  if (filter.modelName !== '') query = query.where('model_name', '=', filter.modelName);
  if (filter.channelId > 0) query = query.where('channel_id', '=', filter.channelId);
  const row = await query.executeTakeFirstOrThrow();
  return { quota: Number(row.quota), tokens: Number(row.tokens) };
};

/**
 * What was consumed within the filter, whatever its `type`. Whole hours come from the hourly sums; the two hours in
 * which the range begins and ends are summed row by row, so the result is exact. `now` (unix seconds) closes an open end.
 */
export const sumLogs = async (db: Database, filter: LogFilter, now: number): Promise<LogSum> => {
  const end = filter.end > 0 ? filter.end : now + hourSeconds;
  const from = Math.ceil(filter.start / hourSeconds);
  const before = Math.floor((end + 1) / hourSeconds);
  if (from >= before) return sumRows(db, filter);
  const edges: LogFilter[] = [
    ...(filter.start % hourSeconds === 0 ? [] : [{ ...filter, end: from * hourSeconds - 1 }]),
    { ...filter, start: before * hourSeconds },
  ];
  const user = filter.username === '' ? filter.userId : await findLoggedUser(db, filter.username);
  if (user === undefined) return { quota: 0, tokens: 0 };
  return total(
    await Promise.all([
      ...edges.map((edge) => sumRows(db, edge)),
      sumHours(db, { ...filter, userId: user }, { from, before }),
    ]),
  );
};

/** The hourly sums know users by id: a log row of that name says which one. */
const findLoggedUser = async (db: Database, username: string): Promise<number | undefined> => {
  const row = await db.query.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst();
  return row?.id;
};

/** Adds a row that moves no money; what does is logged by its posting. */
export const insertLog = async (db: Database, row: NewLog): Promise<void> => {
  await db.query.insertInto('logs').values(row).execute();
};
