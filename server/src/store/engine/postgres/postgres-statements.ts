import { sql, type RawBuilder } from 'kysely';
import type { Schema } from '../../schema.ts';
import { holdColumns } from '../../ledger/row-columns.ts';
import {
  compile,
  enter,
  enteredParts,
  insertInto,
  names,
  rowsOf,
  typeOf,
  withSteps,
  type EnteredPart,
  type PostgresStatement,
  type Step,
} from './statement-text.ts';

const update = (table: keyof Schema, columns: readonly string[], set: (column: string) => RawBuilder<unknown>) =>
  sql`update ${sql.table(table)} set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${set(column)}`))}
    from ${rowsOf(['id', ...columns])} where ${sql.table(table)}.id = row.id`;

const setTo = (column: string) => sql.ref(`row.${column}`);
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
const tokenColumns = ['available', 'held', 'used', 'accessed_time', 'last_address'];
/** Set where they change alone: nodes keep them in memory, so a statement that sets them may have to notify (migration 0035). */
const tokenStateColumns = ['status', 'unlimited_quota'];

const rowsOfPostings = {
  users: ['users', 'id', ['id', ...userColumns]],
  tokens: ['tokens', 'id', ['id', 'user_id', ...tokenColumns, ...tokenStateColumns]],
  holds: ['holds', 'request_id', holdColumns],
  periods: ['budget_periods', 'id', ['id', 'granted', 'held', 'used']],
  codes: ['redemptions', 'key_digest', ['id', 'key_digest', 'status', 'quota', 'deleted_time']],
} as const;

const accountTables = ['users', 'tokens'] as const;
const accountColumns = new Set(accountTables.flatMap((table) => rowsOfPostings[table][2]));

/**
 * The rows of users and tokens, locked in this order by one statement with two parameters: a statement takes
 * PostgreSQL 50 µs, whatever it does.
 */
const lockAccounts = (locked: typeof lock) =>
  sql.join(
    accountTables.map((table) => {
      const [name, key, columns] = rowsOfPostings[table];
      const own = new Set<string>(columns);
      const values = Array.from(accountColumns, (column) =>
        own.has(column) ? sql.ref(column) : sql`null::${typeOf(column)} as ${sql.ref(column)}`,
      );
      return sql`select ${sql.lit(table)} as kind, ${sql.join(values)} from (${locked(name, key, columns)}) as ${sql.ref(table)}`;
    }),
    sql` union all `,
  );

/** Read before a batch is applied. One parameter: an array of keys; those of accounts have one for each table. */
const readers = {
  accounts: lockAccounts(lock),
  holds: lock(...rowsOfPostings.holds),
  codes: lock(...rowsOfPostings.codes),
  periods: lock(...rowsOfPostings.periods),
  freeAccounts: lockAccounts(lockFree),
  freeHolds: lockFree(...rowsOfPostings.holds),
  freeCodes: lockFree(...rowsOfPostings.codes),
  freePeriods: lockFree(...rowsOfPostings.periods),
  presentUsers: present('users', 'id'),
  presentTokens: present('tokens', 'id'),
  presentHolds: present('holds', 'request_id'),
  presentCodes: present('redemptions', 'key_digest'),
  presentPeriods: present('budget_periods', 'id'),
  takeHolds: sql`delete from holds where request_id = any(${sql.val([])}) returning ${names(holdColumns)}`,
  done: sql`select op_key, amount, unrecovered, reason from ledger where op_key = any(${sql.val([])})`,
  allocated: sql`select token_id as id, sum(amount) as amount from ledger
    where token_id = any(${sql.val([])}) and kind = 'allocate' group by token_id`,
} as const;

/** What a batch may change. Their order is that of the parameters. */
export const allParts = [
  'ledger',
  'charges',
  'logs',
  'hours',
  'holds',
  'endedHolds',
  'users',
  'tokens',
  'tokensInNewState',
  'periods',
  'channels',
  'redeemed',
] as const;
export type Part = (typeof allParts)[number];

const always = sql`true`;

/** One parameter each: rows as JSON text. */
const writers: Readonly<Record<Exclude<Part, EnteredPart>, RawBuilder<unknown>>> = {
  holds: insertInto('holds', holdColumns, {
    when: always,
    ending: sql`on conflict (request_id) do update set amount = excluded.amount, progress = excluded.progress`,
  }),
  endedHolds: sql`delete from holds using ${rowsOf(['request_id'])} where holds.request_id = row.request_id`,
  users: update('users', userColumns, setTo),
  tokens: update('tokens', tokenColumns, setTo),
  tokensInNewState: update('tokens', [...tokenColumns, ...tokenStateColumns], setTo),
  periods: update('budget_periods', ['held', 'used'], setTo),
  redeemed: update('redemptions', ['status', 'redeemed_time', 'redeemed_user_id'], setTo),
};

export type Reader = keyof typeof readers;

export const readerStatement = (name: Reader): PostgresStatement => compile(name, () => readers[name]);

const isEntered = (part: Part): part is EnteredPart => enteredParts.some((entered) => entered === part);

/** The steps that write a part, each with a name that no table has. */
const stepsOf = (part: Part): readonly Step[] =>
  isEntered(part) ? enter(part, always) : [[`${part} written`, writers[part]]];

/** One statement that writes these parts, with the parameters of each: every further statement takes PostgreSQL 50 µs. */
export const writerStatement = (parts: readonly Part[]): PostgresStatement =>
  compile(
    `write ${parts.map((part) => allParts.indexOf(part)).join('-')}`,
    () => sql`${withSteps(parts.flatMap(stepsOf))} select where false`,
  );
