import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Statement, StatementResult } from './statement.ts';

/** Statements kept compiled per connection; the queries of the whole program fit. */
const preparedMax = 512;

const writerPragmas = [
  'journal_mode = wal',
  // An acknowledged commit survives a power cut; NORMAL would lose some.
  'synchronous = full',
  'foreign_keys = on',
  // Fires the append-only triggers for `insert or replace` too.
  'recursive_triggers = on',
  'wal_autocheckpoint = 4000',
  'journal_size_limit = 67108864',
];
const usualPragmas = ['cache_size = -32768', 'temp_store = memory'];
/** A sort in memory takes 47 MB for each million rows of the ledger, and more time than one that is written to a file. */
const scanPragmas = ['cache_size = -4096', 'temp_store = file'];

/** What a connection is for: scans read whole tables, each page once, and sort them. */
export type SqliteAccess = 'write' | 'read' | 'scan';

const pragmasOf = (access: SqliteAccess): readonly string[] => [
  'busy_timeout = 5000',
  ...(access === 'scan' ? scanPragmas : usualPragmas),
  ...(access === 'write' ? writerPragmas : []),
];

export interface SqliteConnection {
  readonly database: DatabaseSync;
  run(statement: Statement): StatementResult;
  /** For those who keep the statement. Its rows are objects. */
  prepare(sql: string): StatementSync;
  close(): void;
}

interface Prepared {
  readonly statement: StatementSync;
  /** Read once: to ask a wide statement takes three times as long as to read a row by its key. */
  readonly columns: readonly string[];
}

/**
 * Numbers are bound as integers where they are whole (node:sqlite would bind every number as a float, which shows in
 * division and text), and refused where they are no longer exact.
 */
const toInput = (value: unknown): SQLInputValue => {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return value;
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an exact integer`);
    return BigInt(value);
  }
  if (value === null || typeof value === 'string' || typeof value === 'bigint' || value instanceof Uint8Array)
    return value;
  throw new TypeError(`SQLite cannot store a value of type ${typeof value}`);
};

/** Node's types do not know that the statement returns arrays. */
const allOf = (statement: StatementSync, inputs: readonly SQLInputValue[]): readonly (readonly unknown[])[] => {
  const rows: readonly unknown[] = statement.all(...inputs);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- `setReturnArrays` in `find` below
  return rows as readonly (readonly unknown[])[];
};

/** Opens one connection to the database file; only one that writes can change anything. */
export const openSqliteConnection = (path: string, access: SqliteAccess): SqliteConnection => {
  const database = new DatabaseSync(path, { readOnly: access !== 'write' });
  for (const pragma of pragmasOf(access)) database.exec(`pragma ${pragma}`);
  const prepared = new Map<string, Prepared>();
  const find = (sql: string): Prepared => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    if (prepared.size >= preparedMax) {
      const [oldest] = prepared.keys();
      if (oldest !== undefined) prepared.delete(oldest);
    }
    const added = { statement, columns: statement.columns().map(({ name }) => name) };
    prepared.set(sql, added);
    return added;
  };
  const run = ({ sql, parameters }: Statement): StatementResult => {
    const { statement, columns } = find(sql);
    const inputs = parameters.map(toInput);
    if (columns.length > 0) return { columns, rows: allOf(statement, inputs) };
    const { changes, lastInsertRowid } = statement.run(...inputs);
    return { columns, rows: [], changes: Number(changes), insertId: Number(lastInsertRowid) };
  };
  return { database, run, prepare: (sql) => database.prepare(sql), close: () => database.close() };
};
