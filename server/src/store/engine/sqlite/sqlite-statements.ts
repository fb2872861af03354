import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import type { Schema } from '../../schema.ts';
import { holdColumns, hourKeyColumns, hourSumColumns, ledgerColumns } from '../../ledger/row-columns.ts';
import { logColumns } from '../../logs/log-columns.ts';

/** Kysely writes the text of each statement once; nothing is run here, and of the values only the positions matter. */
const db = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (target) => new SqliteIntrospector(target),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const insertInto = (table: keyof Schema, columns: readonly string[], ending = sql``): string =>
  sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(columns.map(() => sql.val(0)))}) ${ending}`.compile(db).sql;

const addExcluded = sql.join(
  hourSumColumns.map((column) => sql`${sql.ref(column)} = log_hours.${sql.ref(column)} + excluded.${sql.ref(column)}`),
);

/** Parameters are in the order of the columns named, the row's key last. */
const queries = {
  user: db.selectFrom('users').select(['id', 'available', 'held', 'used', 'request_count']).where('id', '=', 0),
  token: db
    .selectFrom('tokens')
    .select([
      'id',
      'user_id',
      'available',
      'held',
      'used',
      'status',
      'unlimited_quota',
      'accessed_time',
      'last_address',
    ])
    .where('id', '=', 0),
  hold: db.selectFrom('holds').selectAll().where('request_id', '=', ''),
  code: db
    .selectFrom('redemptions')
    .select(['id', 'key_digest', 'status', 'quota', 'deleted_time'])
    .where('key_digest', '=', ''),
  period: db.selectFrom('budget_periods').select(['id', 'granted', 'held', 'used']).where('id', '=', 0),
  done: db.selectFrom('ledger').select(['amount', 'unrecovered', 'reason']).where('op_key', '=', ''),
  allocated: db
    .selectFrom('ledger')
    .select((on) => on.fn.sum<number>('amount').as('amount'))
    .where('token_id', '=', 0)
    .where('kind', '=', sql.lit('allocate')),
  setUser: db.updateTable('users').set({ available: 0, held: 0, used: 0, request_count: 0 }).where('id', '=', 0),
  setToken: db
    .updateTable('tokens')
    .set({
      available: 0,
      held: 0,
      used: 0,
      status: 0,
      unlimited_quota: 0,
      accessed_time: 0,
      last_address: '',
    })
    .where('id', '=', 0),
  setPeriod: db.updateTable('budget_periods').set({ held: 0, used: 0 }).where('id', '=', 0),
  addToChannel: db
    .updateTable('channels')
    .set((on) => ({ used: on('used', '+', 0) }))
    .where('id', '=', 0),
  endHold: db.deleteFrom('holds').where('request_id', '=', ''),
  redeem: db.updateTable('redemptions').set({ status: 0, redeemed_time: 0, redeemed_user_id: 0 }).where('id', '=', 0),
} as const;

/** Each takes the columns of its row in the order of `row-columns.ts`. */
const inserts = {
  insertEntry: insertInto('ledger', ledgerColumns, sql`on conflict (op_key) do nothing`),
  insertLog: insertInto('logs', logColumns),
  putHold: insertInto(
    'holds',
    holdColumns,
    sql`on conflict (request_id) do update set amount = excluded.amount, progress = excluded.progress`,
  ),
  addHour: insertInto(
    'log_hours',
    [...hourKeyColumns, ...hourSumColumns],
    sql`on conflict (${sql.join(hourKeyColumns.map((column) => sql.ref(column)))}) do update set ${addExcluded}`,
  ),
} as const;

type Query = keyof typeof queries;

/** The text of every statement behind postings on SQLite. */
export type SqliteTexts = Readonly<Record<Query | keyof typeof inserts, string>>;

/** Written here, on the main thread, so that the writer thread starts without Kysely. */
export const sqliteTexts = (): SqliteTexts => {
  const text = (query: Query) => queries[query].compile().sql;
  return {
    ...inserts,
    user: text('user'),
    token: text('token'),
    hold: text('hold'),
    code: text('code'),
    period: text('period'),
    done: text('done'),
    allocated: text('allocated'),
    setUser: text('setUser'),
    setToken: text('setToken'),
    setPeriod: text('setPeriod'),
    addToChannel: text('addToChannel'),
    endHold: text('endHold'),
    redeem: text('redeem'),
  };
};
