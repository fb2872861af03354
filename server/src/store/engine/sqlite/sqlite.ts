import { Kysely, sql } from 'kysely';
import { StartError } from '../../../errors.ts';
import type { Database, DatabaseOptions } from '../../database.ts';
import { recoverHolds } from '../../ledger/recover-holds.ts';
import type { NodeIdentity } from '../../ledger/accounts-state.ts';
import type { Schema } from '../../schema.ts';
import { claimDataDirectory } from '../data-directory.ts';
import { SqliteError } from '../database-error.ts';
import { enterEpoch } from '../instance.ts';
import { migrate, missingMigrations } from '../migrate.ts';
import { postingFault } from '../../ledger/posting-fault.ts';
import { snapshotOf } from '../snapshot.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { startSqliteReaders } from './sqlite-readers.ts';
import { startSqliteWriter, type SqliteWriter } from './sqlite-writer.ts';

interface Prepared {
  readonly read: Kysely<Schema>;
  readonly write: Kysely<Schema>;
  readonly writer: SqliteWriter;
}

const appliedMigrations = async (read: Kysely<Schema>): Promise<readonly string[]> => {
  const applied = read.selectFrom(sql<{ readonly name: string }>`migrations`.as('applied'));
  return (await applied.select('applied.name').execute()).map(({ name }) => name);
};

const prepare = async (
  { read, write, writer }: Prepared,
  { nodeName: node = 'main', secretFingerprint, previousFingerprint, onMigration, importing = false }: DatabaseOptions,
) => {
  const sortIn = (storage: 'file' | 'memory') => writer.run({ sql: `pragma temp_store = ${storage}`, parameters: [] });
  // An index over millions of rows is sorted first, which would take a gigabyte of memory.
  await sortIn('file');
  await migrate({ db: write, kind: 'sqlite', onMigration });
  await sortIn('memory');
  const keys = { secretFingerprint, previousFingerprint };
  const epoch = await enterEpoch({ write, nodeName: node, ...keys, othersRun: async () => false, importing });
  const identity = { node, epoch };
  await writer.identify(identity);
  await recoverHolds({ read, post: writer.post, identity, now: Math.floor(Date.now() / 1000) });
  return identity;
};

export const openSqlite = async (options: DatabaseOptions): Promise<Database> => {
  const directory = claimDataDirectory(options.dataDir);
  const path = directory.databasePath;
  let serving = false;
  const onFatal = (error: Error) => {
    if (serving) options.onFatal?.(error);
  };
  // The readers first: they name the directory of temporary files, which is to be known before any thread runs.
  const readers = startSqliteReaders({ path, onFatal });
  const writer = startSqliteWriter({ path, onFatal });
  const threads = { writer, readers };
  const read = new Kysely<Schema>({ dialect: createSqliteDialect(threads, 'read') });
  const write = new Kysely<Schema>({ dialect: createSqliteDialect(threads, 'write') });
  const close = async () => {
    await readers.close();
    await writer.close();
    directory.release();
  };
  let identity: NodeIdentity;
  try {
    // A reader cannot open a file that is not there yet: the writer makes it.
    await writer.run({ sql: 'pragma user_version', parameters: [] });
    identity = await prepare({ read, write, writer }, options);
  } catch (error) {
    await close();
    if (error instanceof SqliteError)
      throw new StartError(`The database ${path} cannot be used: ${error.message}`, error);
    throw error;
  }
  serving = true;
  return {
    kind: 'sqlite',
    identity,
    read,
    snapshot: snapshotOf(read, 'sqlite'),
    write,
    post: (posting) => {
      const fault = postingFault(posting);
      return fault === undefined ? writer.post(posting) : Promise.reject(fault);
    },
    onReconnect: () => undefined,
    missingMigrations: async () => missingMigrations(await appliedMigrations(read)),
    load: () => ({ writes: writer.waiting(), connections: 0, idle: 0, queries: 0 }),
    close,
  };
};
