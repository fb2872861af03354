import { type Dialect, type Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { AppError, StartError } from '../../../errors.ts';
import type { Database, DatabaseOptions } from '../../database.ts';
import type { Posting } from '../../ledger/postings.ts';
import { recoverHolds } from '../../ledger/recover-holds.ts';
import type { Schema } from '../../schema.ts';
import { claimDataDirectory } from '../data-directory.ts';
import { enterEpoch } from '../instance.ts';
import { migrate } from '../migrate.ts';
import { GuardedPostgresDriver } from './postgres-driver.ts';
import { connectPostgresWriter } from './postgres-link.ts';
import { postingFault } from '../../ledger/posting-fault.ts';
import { snapshotOf } from '../snapshot.ts';
import { postgresTypes } from './postgres-types.ts';
import { startPostgresWriter } from './postgres-writer.ts';
import { RetryingKysely } from './retrying-kysely.ts';

interface PostgresOptions extends DatabaseOptions {
  readonly databaseUrl: string;
}

const connectionsMax = 10;

const createPool = (databaseUrl: string): Pool => {
  const pool = new Pool({
    connectionString: databaseUrl,
    types: postgresTypes,
    max: connectionsMax,
    keepAlive: true,
    connectionTimeoutMillis: 2000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 5000,
  });
  // An idle connection that breaks is replaced at the next use; one in use may break between two queries, with no
  // promise to reject: without a listener that would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/** The pool for Kysely: a failure to connect is a public failure, not an internal one. */
const createDialect = (pool: Pool): Dialect => {
  const connect = async () => {
    try {
      return await pool.connect();
    } catch (error) {
      throw new AppError('unavailable', {}, error);
    }
  };
  const config = { pool: { connect, end: () => pool.end(), options: pool.options } };
  return Object.assign(new PostgresDialect(config), { createDriver: () => new GuardedPostgresDriver(config) });
};

const prepare = async (query: Kysely<Schema>, options: PostgresOptions) => {
  const { databaseUrl, nodeName: node = 'main', secretFingerprint } = options;
  await migrate({ db: query, kind: 'postgres' });
  const client = await connectPostgresWriter({ databaseUrl, node });
  try {
    const epoch = await enterEpoch({ write: query, nodeName: node, secretFingerprint });
    return { client, identity: { node, epoch } };
  } catch (error) {
    await client.end();
    throw error;
  }
};

/** A name with several addresses fails with all of their errors, and no message of its own. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message;
};

const cannotUse = (error: unknown): StartError => {
  if (error instanceof StartError) return error;
  const cause = error instanceof AppError ? error.cause : error;
  return new StartError(`PostgreSQL cannot be used: ${reasonOf(cause)}`, error);
};

const startWriter = async (query: Kysely<Schema>, options: PostgresOptions) => {
  const { databaseUrl, onFatal = () => undefined } = options;
  const { client, identity } = await prepare(query, options);
  const writer = startPostgresWriter({ databaseUrl, identity, client, onFatal });
  try {
    await recoverHolds({ read: query, post: writer.post, identity, now: Math.floor(Date.now() / 1000) });
  } catch (error) {
    await writer.close();
    throw error;
  }
  return { writer, identity };
};

export const openPostgres = async (options: PostgresOptions): Promise<Database> => {
  const directory = claimDataDirectory(options.dataDir);
  const query = new RetryingKysely({ dialect: createDialect(createPool(options.databaseUrl)) });
  const release = async () => {
    await query.destroy();
    directory.release();
  };
  try {
    const { writer, identity } = await startWriter(query, options);
    const post = (posting: Posting) => {
      const fault = postingFault(posting);
      return fault === undefined ? writer.post(posting) : Promise.reject(fault);
    };
    const close = async () => {
      await writer.close();
      await release();
    };
    const snapshot = snapshotOf(query, 'postgres');
    return { kind: 'postgres', identity, read: query, snapshot, write: query, post, close };
  } catch (error) {
    await release();
    throw cannotUse(error);
  }
};
