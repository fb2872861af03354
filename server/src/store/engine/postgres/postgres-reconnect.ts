import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { NodeIdentity } from '../../ledger/accounts-state.ts';
import { connectPostgresWriter } from './postgres-link.ts';
import { keepsConnection } from './postgres-transact.ts';

const retryMinMs = 20;
const retryMaxMs = 1000;

export interface LinkOptions {
  readonly databaseUrl: string;
  readonly identity: NodeIdentity;
  /** The first connection. */
  readonly client: Client;
  /** Called once when another process has taken this node's name: this one must end. */
  readonly onFatal: (error: Error) => void;
}

/** A connection that is made anew, with growing pauses, whenever it was lost. */
export const createPostgresLink = ({ databaseUrl, identity, client: first, onFatal }: LinkOptions) => {
  let client: Client | undefined = first;
  let pauseMs = retryMinMs;
  let ended = false;

  /** While the connection was lost another process may have started under this node's name. */
  const assertOwnEpoch = async (next: Client) => {
    const key = `epoch:${identity.node}`;
    const { rows } = await next.query<{ value: string }>('select value from instance where key = $1', [key]);
    if (rows[0]?.value === String(identity.epoch)) return;
    const error = new Error(`Another process has started as node ${identity.node}`);
    ended = true;
    onFatal(error);
    throw error;
  };
  const drop = () => {
    client?.end().catch(() => undefined);
    client = undefined;
  };
  return {
    drop,
    /** Whether this node may move no money ever again. */
    ended: () => ended,
    /** Undefined while no connection can be opened; it has paused before it returns. */
    get: async (): Promise<Client | undefined> => {
      if (client !== undefined || ended) return client;
      try {
        client = await connectPostgresWriter({ databaseUrl, node: identity.node });
        await assertOwnEpoch(client);
        pauseMs = retryMinMs;
      } catch {
        drop();
        await sleep(pauseMs * (0.5 + Math.random()));
        pauseMs = Math.min(retryMaxMs, pauseMs * 2);
      }
      return client;
    },
    close: async () => {
      await client?.end().catch(() => undefined);
    },
  };
};
export type PostgresLink = ReturnType<typeof createPostgresLink>;

/** The outcome of a transaction whose COMMIT was not answered: the server has it by its number. */
export const askOutcome = async (link: PostgresLink, transaction: string, stillWanted: () => boolean) => {
  while (stillWanted() && !link.ended()) {
    const client = await link.get();
    try {
      const { rows } = (await client?.query<{ status: string }>('select pg_xact_status($1::xid8) as status', [
        transaction,
      ])) ?? { rows: [] };
      const status = rows[0]?.status;
      if (status === 'committed' || status === 'aborted') return status;
      await sleep(retryMinMs);
    } catch (error) {
      if (!keepsConnection(error)) link.drop();
    }
  }
  return 'aborted';
};
