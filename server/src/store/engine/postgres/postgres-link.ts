import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { StartError } from '../../../errors.ts';
import { nodeLockSpace } from '../../nodes/node-lock.ts';
import { sharedLockWaitMs } from '../posting-queue.ts';
import { limitSession, proveOwnSession, type SessionLimits } from './postgres-session.ts';
import { postgresTypes } from './postgres-types.ts';

/** How long the server may keep the lock of a process that just died. */
const lockWaitMs = 3000;
const lockRetryMs = 100;
/** A node that stands still inside a transaction keeps its accounts from the others so long. Its batch is tried again. */
const idleMs = 2000;

const limits: SessionLimits = {
  statement_timeout: 10_000,
  lock_timeout: sharedLockWaitMs,
  idle_in_transaction_session_timeout: idleMs,
};

/**
 * The plan of a statement is kept for the connection, and the first are made while the tables are empty: a scan of the
 * whole table looks cheap then. Every statement of a posting finds its rows by a key.
 */
export const planning = 'set enable_seqscan = off; set plan_cache_mode = force_generic_plan';

interface LinkOptions {
  readonly databaseUrl: string;
  readonly node: string;
}

const takeLock = async (client: Client, node: string): Promise<boolean> => {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as taken', [
    nodeLockSpace,
    node,
  ]);
  return rows[0]?.taken === true;
};

const createClient = (databaseUrl: string, node: string): Client => {
  const client = new Client({
    connectionString: databaseUrl,
    types: postgresTypes,
    application_name: `weir ${node}`,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: 15_000,
  });
  // The pending query reports a lost connection.
  client.on('error', () => undefined);
  return client;
};

/**
 * The one connection that moves money. It holds a lock on the node's name while it is open, so no second process of
 * that name can take this one's open holds for those of a dead process.
 */
export const connectPostgresWriter = async ({ databaseUrl, node }: LinkOptions): Promise<Client> => {
  const client = createClient(databaseUrl, node);
  const openOther = async () => {
    const other = createClient(databaseUrl, node);
    await other.connect();
    return other;
  };
  try {
    await client.connect();
    await limitSession(client, limits);
    await client.query(planning);
    await proveOwnSession(client, openOther);
    const limit = performance.now() + lockWaitMs;
    while (!(await takeLock(client, node))) {
      if (performance.now() > limit)
        throw new StartError(`Another process is running as node ${node} on this PostgreSQL`);
      await sleep(lockRetryMs);
    }
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
};
