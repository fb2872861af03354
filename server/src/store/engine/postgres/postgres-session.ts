import type { ClientBase } from 'pg';
import { StartError } from '../../../errors.ts';

type TimeLimit = 'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout';

/** Limits of a session by the names of PostgreSQL: times in milliseconds, 0: none; and processes that help with a query. */
export type SessionLimits = Readonly<Partial<Record<TimeLimit | 'max_parallel_workers_per_gather', number>>>;

/** What is answered must survive. A stronger setting than `on` stays. */
const durable = `select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') in ('off', 'local')`;

/** Queries are short: to compile one by LLVM takes longer than to run it. */
const interpreted = 'set jit = off';

/**
 * Sets the limits by statements: poolers refuse them among the parameters of a new connection. Commits of the session are
 * durable, whatever the default of the server is.
 */
export const limitSession = async (client: ClientBase, limits: SessionLimits): Promise<void> => {
  const statements = Object.entries(limits).map(([name, value]) => `set ${name} = ${value}`);
  await client.query([...statements, interpreted, durable].join('; '));
};

const serverProcessOf = async (client: ClientBase): Promise<number> => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
};

const shared = new StartError(
  'PostgreSQL is behind a pooler that shares connections between transactions. The lock of the node and the changes of ' +
    'other nodes need a session: connect to PostgreSQL itself, or set pool_mode = session',
);

/**
 * Proves that a connection has a server process to itself. A pooler gives an idle process to the next connection that
 * begins a transaction: so a transaction of another connection must get another process and leave ours with the same.
 *
 * @param openOther opens another connection to the same address; it is closed here
 */
export const proveOwnSession = async (
  client: ClientBase,
  openOther: () => Promise<ClientBase & { end(): Promise<void> }>,
) => {
  const other = await openOther();
  try {
    const own = await serverProcessOf(client);
    await other.query('begin');
    const taken = await serverProcessOf(other);
    // Where the pooler has no further process this waits until the connection's time limit.
    const after = await serverProcessOf(client).catch(() => 0);
    if (taken === own || after !== own) throw shared;
  } finally {
    await other.end().catch(() => undefined);
  }
};
