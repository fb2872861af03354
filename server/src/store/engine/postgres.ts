import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import { AppError, StartError } from '../../errors.ts';
import type { Database, DatabaseOptions } from '../database.ts';
import type { Schema } from '../schema.ts';
import { claimDataDirectory } from './data-directory.ts';
import { enterEpoch } from './instance.ts';
import { migrate } from './migrate.ts';

const int8 = 20;
const numeric = 1700;

const toExact = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError(`${text} is not an exact integer`);
  return value;
};

/** Whole numbers arrive as numbers, sums (which PostgreSQL makes `numeric`) among them; inexact ones are refused. */
export const postgresTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 || oid === numeric ? toExact : types.getTypeParser(oid, format),
};

export const openPostgres = async (options: DatabaseOptions & { readonly databaseUrl: string }): Promise<Database> => {
  const { dataDir, databaseUrl, nodeName = 'main', secretFingerprint } = options;
  const directory = claimDataDirectory(dataDir);
  const pool = new Pool({ connectionString: databaseUrl, types: postgresTypes, max: 10, statement_timeout: 60_000 });
  // An idle connection that breaks is replaced at the next use.
  pool.on('error', () => undefined);
  const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const close = async () => {
    await query.destroy();
    directory.release();
  };
  try {
    await migrate({ db: query, kind: 'postgres' });
    await enterEpoch({ query, nodeName, secretFingerprint });
  } catch (error) {
    await close();
    if (error instanceof StartError) throw error;
    throw new StartError(`PostgreSQL cannot be used: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  return { kind: 'postgres', query, post: () => Promise.reject(new AppError('unavailable')), close };
};
