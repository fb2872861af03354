import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type RawBuilder,
} from 'kysely';
import type { Schema } from '../../schema.ts';
import { useKey } from '../../ledger/accounts-state.ts';
import { emptyEntry } from '../../ledger/posting-work.ts';
import { holdColumns, hourKeyColumns, hourSumColumns, ledgerColumns } from '../../ledger/row-columns.ts';
import { logColumns, logTextColumns } from '../../logs/log-columns.ts';
import { chargeColumns, leftOut } from './charge-rows.ts';

/** Kysely writes the text of each statement once; nothing is run here, and of the values only the positions matter. */
const db = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (target) => new PostgresIntrospector(target),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const textColumns = new Set<string>([...logTextColumns, 'op_key', 'kind', 'reason', 'node', 'last_address', 'budgets']);
const typeOf = (column: string) => sql.raw(textColumns.has(column) ? 'text' : 'bigint');
const names = (columns: readonly string[], table?: string) =>
  sql.join(columns.map((column) => sql.ref(table === undefined ? column : `${table}.${column}`)));

/** The rows of the one parameter, a JSON array of objects: any number of rows with the same text. */
const rowsOf = (columns: readonly string[]) =>
  sql`json_to_recordset(${sql.val('[]')}::json) as row (${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ${typeOf(column)}`),
  )})`;

const insertInto = (table: keyof Schema, columns: readonly string[], ending = sql``) =>
  sql`insert into ${sql.table(table)} (${names(columns)}) select ${names(columns, 'row')} from ${rowsOf(columns)} ${ending}`;
/** In the order of the database's own text comparison, as the clearing of logs locks the same rows. */
const inKeyOrder = sql.join(
  hourKeyColumns.map((column) =>
    textColumns.has(column) ? sql`row.${sql.ref(column)} collate "C"` : sql`row.${sql.ref(column)}`,
  ),
);

const update = (table: keyof Schema, columns: readonly string[], set: (column: string) => RawBuilder<unknown>) =>
  sql`update ${sql.table(table)} set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${set(column)}`))}
    from ${rowsOf(['id', ...columns])} where ${sql.table(table)}.id = row.id`;

const setTo = (column: string) => sql.ref(`row.${column}`);
const addExcluded = sql.join(
  hourSumColumns.map((column) => sql`${sql.ref(column)} = log_hours.${sql.ref(column)} + excluded.${sql.ref(column)}`),
);

/** Rows are locked in the order of their keys, so that two nodes never wait for each other in a circle. */
const lock = (table: keyof Schema, key: string, columns: readonly string[]) =>
  sql`select ${names(columns)} from ${sql.table(table)} where ${sql.ref(key)} = any(${sql.val([])}) order by ${sql.ref(key)} for no key update`;

/** The rows that no other transaction has locked. */
const lockFree = (table: keyof Schema, key: string, columns: readonly string[]) =>
  sql`${lock(table, key, columns)} skip locked`;

/** The keys of rows, whether they are locked or not. */
const present = (table: keyof Schema, key: string) =>
  sql`select ${sql.ref(key)} as key from ${sql.table(table)} where ${sql.ref(key)} = any(${sql.val([])})`;

const userColumns = ['available', 'held', 'used', 'request_count'];
const tokenColumns = ['available', 'held', 'used', 'status', 'unlimited_quota', 'accessed_time', 'last_address'];

const rowsOfPostings = {
  users: ['users', 'id', ['id', ...userColumns]],
  tokens: ['tokens', 'id', ['id', 'user_id', ...tokenColumns]],
  channels: ['channels', 'id', ['id']],
  holds: ['holds', 'request_id', holdColumns],
  periods: ['budget_periods', 'id', ['id', 'granted', 'held', 'used']],
  codes: ['redemptions', 'key_digest', ['id', 'key_digest', 'status', 'quota', 'deleted_time']],
} as const;

/** Columns of the ledger that a charge has under another name, or not. */
const entryValues: Readonly<Record<string, RawBuilder<unknown>>> = {
  op_key: sql`${sql.lit(useKey(''))} || request_id`,
  kind: sql.lit('use'),
  amount: sql.ref('quota'),
  actor_id: sql.lit(emptyEntry.actor_id),
  reason: sql.lit(emptyEntry.reason),
};

/** Entries of the ledger and the log rows that report them; returns how many entries were new. */
const enterCharges = sql`with charge as materialized (select ${sql.join(
  chargeColumns.map(
    (column) => sql`coalesce(${sql.ref(`row.${column}`)}, ${sql.lit(leftOut[column] ?? 0)}) as ${sql.ref(column)}`,
  ),
)} from ${rowsOf(chargeColumns)}),
  entered as (insert into ledger (${names(ledgerColumns)})
    select ${sql.join(ledgerColumns.map((column) => entryValues[column] ?? sql.ref(column)))} from charge
    on conflict (op_key) do nothing returning 1),
  logged as (insert into logs (${names(logColumns)}) select ${names(logColumns)} from charge)
  select count(*) as entered from entered`;

const endHolds = sql`delete from holds where request_id = any(${sql.val([])})`;

const builders = {
  users: lock(...rowsOfPostings.users),
  tokens: lock(...rowsOfPostings.tokens),
  channels: lock(...rowsOfPostings.channels),
  holds: lock(...rowsOfPostings.holds),
  codes: lock(...rowsOfPostings.codes),
  periods: lock(...rowsOfPostings.periods),
  freeUsers: lockFree(...rowsOfPostings.users),
  freeTokens: lockFree(...rowsOfPostings.tokens),
  freeChannels: lockFree(...rowsOfPostings.channels),
  freeHolds: lockFree(...rowsOfPostings.holds),
  freeCodes: lockFree(...rowsOfPostings.codes),
  freePeriods: lockFree(...rowsOfPostings.periods),
  presentUsers: present('users', 'id'),
  presentTokens: present('tokens', 'id'),
  presentChannels: present('channels', 'id'),
  presentHolds: present('holds', 'request_id'),
  presentCodes: present('redemptions', 'key_digest'),
  presentPeriods: present('budget_periods', 'id'),
  done: sql`select op_key, amount, unrecovered, reason from ledger where op_key = any(${sql.val([])})`,
  allocated: sql`select token_id as id, sum(amount) as amount from ledger
    where token_id = any(${sql.val([])}) and kind = 'allocate' group by token_id`,
  setUsers: update('users', userColumns, setTo),
  setTokens: update('tokens', tokenColumns, setTo),
  setPeriods: update('budget_periods', ['held', 'used'], setTo),
  addToChannels: update('channels', ['used'], () => sql`channels.used + row.used`),
  redeem: update('redemptions', ['status', 'redeemed_time', 'redeemed_user_id'], setTo),
  enterCharges,
  insertLedger: insertInto('ledger', ledgerColumns, sql`on conflict (op_key) do nothing`),
  insertLogs: insertInto('logs', logColumns),
  putHolds: insertInto(
    'holds',
    holdColumns,
    sql`on conflict (request_id) do update set amount = excluded.amount, progress = excluded.progress`,
  ),
  endHolds,
  takeHolds: sql`${endHolds} returning ${names(holdColumns)}`,
  addHours: insertInto(
    'log_hours',
    [...hourKeyColumns, ...hourSumColumns],
    sql`order by ${inKeyOrder} on conflict (${names(hourKeyColumns)}) do update set ${addExcluded}`,
  ),
} as const;

export type PostgresStatement = keyof typeof builders;

const texts = new Map<PostgresStatement, string>();

/** A statement behind postings, with one parameter each: an array of keys, or rows as JSON text. */
export const postgresStatement = (name: PostgresStatement): string => {
  const text = texts.get(name) ?? builders[name].compile(db).sql;
  texts.set(name, text);
  return text;
};
