import { Kysely } from 'kysely';
import { StartError } from '../../errors.ts';
import type { Database, DatabaseOptions } from '../database.ts';
import type { Schema } from '../schema.ts';
import { checkPosting } from './check-posting.ts';
import { recoverHolds } from '../recover-holds.ts';
import { claimDataDirectory } from './data-directory.ts';
import { SqliteError } from './database-error.ts';
import { enterEpoch } from './instance.ts';
import { createLazyHolds } from './lazy-holds.ts';
import { migrate } from './migrate.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { startSqliteReaders } from './sqlite-readers.ts';
import { startSqliteWriter } from './sqlite-writer.ts';

export const openSqlite = async (options: DatabaseOptions): Promise<Database> => {
  const { dataDir, nodeName: node = 'main', secretFingerprint, onFatal = () => undefined } = options;
  const directory = claimDataDirectory(dataDir);
  const path = directory.databasePath;
  const writer = startSqliteWriter({ path, onFatal });
  // A reader cannot open a file that is not there: the writer makes it.
  const ready = writer.run({ sql: 'pragma user_version', parameters: [] });
  const closeWriter = async () => {
    await writer.close();
    directory.release();
  };
  try {
    await ready;
  } catch (error) {
    await closeWriter();
    if (!(error instanceof SqliteError)) throw error;
    throw new StartError(`The database ${path} cannot be opened: ${error.message}`, error);
  }
  const readers = startSqliteReaders({ path, onFatal });
  const query = new Kysely<Schema>({ dialect: createSqliteDialect({ writer, readers }) });
  const holds = createLazyHolds(writer.post);
  const close = async () => {
    holds.flush();
    await readers.close();
    await closeWriter();
  };
  try {
    await migrate({ db: query, kind: 'sqlite' });
    const epoch = await enterEpoch({ query, nodeName: node, secretFingerprint });
    await writer.identify({ node, epoch });
    await recoverHolds({ query, post: writer.post, identity: { node, epoch }, now: Math.floor(Date.now() / 1000) });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: 'sqlite',
    query,
    post: async (posting) => {
      checkPosting(posting);
      return holds.post(posting);
    },
    close,
  };
};
