import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import { Pool, type PoolClient } from 'pg';
import { AppError, StartError } from '../../../errors.ts';
import type { Database, DatabaseOptions, ReadQueries } from '../../database.ts';
import type { Posting } from '../../ledger/postings.ts';
import { recoverHolds } from '../../ledger/recover-holds.ts';
import type { Schema } from '../../schema.ts';
import { areOthersConnected } from '../../nodes/absent-processes.ts';
import { claimDataDirectory } from '../data-directory.ts';
import { reasonOf } from '../database-error.ts';
import { enterEpoch } from '../instance.ts';
import { migrate, missingMigrations } from '../migrate.ts';
import { refuseOtherGateway } from '../other-gateway.ts';
import { GuardedPostgresDriver } from './postgres-driver.ts';
import { connectPostgresWriter } from './postgres-link.ts';
import { postingFault } from '../../ledger/posting-fault.ts';
import { snapshotOf } from '../snapshot.ts';
import { createPostgresProbe } from './postgres-probe.ts';
import { limitSession, type SessionLimits } from './postgres-session.ts';
import { postgresTypes } from './postgres-types.ts';
import { startPostgresWriter } from './postgres-writer.ts';
import { RetryingKysely } from './retrying-kysely.ts';

interface PostgresOptions extends DatabaseOptions {
  readonly databaseUrl: string;
}

const connectionsMax = 10;

/** Of what users wait for. To start helping processes takes longer than they spare, and calls need the cores. */
const queryLimits: SessionLimits = {
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 5000,
  max_parallel_workers_per_gather: 0,
};
/** A migration of a large table takes its time, but keeps a running node waiting for a second at most. */
const migrationLimits: SessionLimits = { statement_timeout: 0, lock_timeout: 1000 };

const createPool = (databaseUrl: string): Pool => {
  const pool = new Pool({
    connectionString: databaseUrl,
    types: postgresTypes,
    max: connectionsMax,
    keepAlive: true,
    connectionTimeoutMillis: 2000,
  });
  // An idle connection that breaks is replaced at the next use; one in use may break between two queries, with no
  // promise to reject: without a listener that would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/** The pool for Kysely: a failure to connect is a public failure, not an internal one. */
const createDialect = (pool: Pool, limits: SessionLimits): Dialect => {
  const limited = new WeakSet<PoolClient>();
  const limit = async (client: PoolClient) => {
    try {
      await limitSession(client, limits);
      limited.add(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  const connect = async () => {
    try {
      const client = await pool.connect();
      if (!limited.has(client)) await limit(client);
      return client;
    } catch (error) {
      throw new AppError('unavailable', {}, error);
    }
  };
  const config = { pool: { connect, end: () => pool.end(), options: pool.options } };
  return Object.assign(new PostgresDialect(config), { createDriver: () => new GuardedPostgresDriver(config) });
};

const migratePatiently = async ({ databaseUrl, onMigration }: PostgresOptions) => {
  const db = new Kysely<Schema>({ dialect: createDialect(createPool(databaseUrl), migrationLimits) });
  try {
    await refuseOtherGateway(db);
    await migrate({ db, kind: 'postgres', onMigration });
  } finally {
    await db.destroy();
  }
};

const prepare = async (query: Kysely<Schema>, options: PostgresOptions) => {
  const { databaseUrl, nodeName: node = 'main', secretFingerprint, previousFingerprint, importing = false } = options;
  await migratePatiently(options);
  const client = await connectPostgresWriter({ databaseUrl, node });
  try {
    const keys = { secretFingerprint, previousFingerprint };
    const othersRun = (trx: ReadQueries) => areOthersConnected(trx, node);
    const epoch = await enterEpoch({ write: query, nodeName: node, ...keys, othersRun, importing });
    return { client, identity: { node, epoch } };
  } catch (error) {
    await client.end();
    throw error;
  }
};

const cannotUse = (error: unknown): StartError =>
  error instanceof StartError ? error : new StartError(`PostgreSQL cannot be used: ${reasonOf(error)}`, error);

const startWriter = async (query: Kysely<Schema>, options: PostgresOptions) => {
  const { databaseUrl, onFatal = () => undefined } = options;
  const { client, identity } = await prepare(query, options);
  const listeners = new Set<() => void>();
  const onReconnect = () => {
    for (const listener of listeners) listener();
  };
  const writer = startPostgresWriter({ databaseUrl, identity, client, onFatal, onReconnect });
  try {
    await recoverHolds({ read: query, post: writer.post, identity, now: Math.floor(Date.now() / 1000) });
  } catch (error) {
    await writer.close();
    throw error;
  }
  return { writer, identity, onReconnect: (listener: () => void) => void listeners.add(listener) };
};

export const openPostgres = async (options: PostgresOptions): Promise<Database> => {
  const directory = claimDataDirectory(options.dataDir);
  const pool = createPool(options.databaseUrl);
  const query = new RetryingKysely({ dialect: createDialect(pool, queryLimits) });
  const probe = createPostgresProbe(options.databaseUrl);
  const release = async () => {
    probe.close();
    await query.destroy();
    directory.release();
  };
  try {
    const { writer, identity, onReconnect } = await startWriter(query, options);
    const post = (posting: Posting) => {
      const fault = postingFault(posting);
      return fault === undefined ? writer.post(posting) : Promise.reject(fault);
    };
    const close = async () => {
      await writer.close();
      await release();
    };
    const snapshot = snapshotOf(query, 'postgres');
    const load = () => ({
      writes: writer.waiting(),
      connections: pool.totalCount,
      idle: pool.idleCount,
      queries: pool.waitingCount,
    });
    return {
      kind: 'postgres',
      identity,
      read: query,
      snapshot,
      write: query,
      post,
      onReconnect,
      missingMigrations: async () => missingMigrations(await probe.migrations()),
      load,
      close,
    };
  } catch (error) {
    await release();
    throw cannotUse(error);
  }
};
