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
const tokenColumns = ['available', 'held', 'used', 'accessed_time', 'last_address'];
/** Set where they change alone: nodes keep them in memory, so a statement that sets them may have to notify (migration 0035). */
const tokenStateColumns = ['status', 'unlimited_quota'];

const rowsOfPostings = {
  users: ['users', 'id', ['id', ...userColumns]],
  tokens: ['tokens', 'id', ['id', 'user_id', ...tokenColumns, ...tokenStateColumns]],
  channels: ['channels', 'id', ['id']],
  holds: ['holds', 'request_id', holdColumns],
  periods: ['budget_periods', 'id', ['id', 'granted', 'held', 'used']],
  codes: ['redemptions', 'key_digest', ['id', 'key_digest', 'status', 'quota', 'deleted_time']],
} as const;

const accountTables = ['users', 'tokens', 'channels'] as const;
const accountColumns = new Set(accountTables.flatMap((table) => rowsOfPostings[table][2]));

/**
 * The rows of users, tokens and channels, locked in this order by one statement with three parameters: a statement takes
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

/** Columns of the ledger that a charge has under another name, or not. */
const entryValues: Readonly<Record<string, RawBuilder<unknown>>> = {
  op_key: sql`${sql.lit(useKey(''))} || request_id`,
  kind: sql.lit('use'),
  amount: sql.ref('quota'),
  actor_id: sql.lit(emptyEntry.actor_id),
  reason: sql.lit(emptyEntry.reason),
};

/** Entries of the ledger and the log rows that report them, of one parameter, in steps. */
const enterCharges = {
  charge: sql`select ${sql.join(
    chargeColumns.map(
      (column) => sql`coalesce(${sql.ref(`row.${column}`)}, ${sql.lit(leftOut[column] ?? 0)}) as ${sql.ref(column)}`,
    ),
  )} from ${rowsOf(chargeColumns)}`,
  entered: sql`insert into ledger (${names(ledgerColumns)})
    select ${sql.join(ledgerColumns.map((column) => entryValues[column] ?? sql.ref(column)))} from charge`,
  logged: sql`insert into logs (${names(logColumns)}) select ${names(logColumns)} from charge`,
};

const endHolds = sql`delete from holds where request_id = any(${sql.val([])})`;

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
  presentChannels: present('channels', 'id'),
  presentHolds: present('holds', 'request_id'),
  presentCodes: present('redemptions', 'key_digest'),
  presentPeriods: present('budget_periods', 'id'),
  takeHolds: sql`${endHolds} returning ${names(holdColumns)}`,
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

/** One parameter each: rows as JSON text, or for ended holds an array of keys. */
const writers: Readonly<Record<Exclude<Part, 'charges'>, RawBuilder<unknown>>> = {
  ledger: insertInto('ledger', ledgerColumns),
  logs: insertInto('logs', logColumns),
  hours: insertInto(
    'log_hours',
    [...hourKeyColumns, ...hourSumColumns],
    sql`order by ${inKeyOrder} on conflict (${names(hourKeyColumns)}) do update set ${addExcluded}`,
  ),
  holds: insertInto(
    'holds',
    holdColumns,
    sql`on conflict (request_id) do update set amount = excluded.amount, progress = excluded.progress`,
  ),
  endedHolds: endHolds,
  users: update('users', userColumns, setTo),
  tokens: update('tokens', tokenColumns, setTo),
  tokensInNewState: update('tokens', [...tokenColumns, ...tokenStateColumns], setTo),
  periods: update('budget_periods', ['held', 'used'], setTo),
  channels: update('channels', ['used'], () => sql`channels.used + row.used`),
  redeemed: update('redemptions', ['status', 'redeemed_time', 'redeemed_user_id'], setTo),
};

export type Reader = keyof typeof readers;

/** A statement behind postings, to be prepared under its name. */
export interface PostgresStatement {
  readonly name: string;
  readonly text: string;
}

const compiled = new Map<string, PostgresStatement>();

const compile = (name: string, build: () => RawBuilder<unknown>): PostgresStatement => {
  const statement = compiled.get(name) ?? { name, text: build().compile(db).sql };
  compiled.set(name, statement);
  return statement;
};

export const readerStatement = (name: Reader): PostgresStatement => compile(name, () => readers[name]);

/** The steps that write a part, each with a name that no table has. */
const stepsOf = (part: Part): readonly (readonly [name: string, step: RawBuilder<unknown>])[] =>
  part === 'charges' ? Object.entries(enterCharges) : [[`${part} written`, writers[part]]];

/** One statement that writes these parts, with a parameter for each: every further statement takes PostgreSQL 50 µs. */
export const writerStatement = (parts: readonly Part[]): PostgresStatement =>
  // PostgreSQL takes names of 63 bytes at most.
  compile(`write ${parts.map((part) => allParts.indexOf(part)).join('-')}`, () => {
    const steps = parts.flatMap(stepsOf).map(([name, step]) => sql`${sql.ref(name)} as (${step})`);
    return sql`with ${sql.join(steps)} select where false`;
  });
