import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { NodeIdentity } from '../../ledger/accounts-state.ts';
import { connectPostgresWriter } from './postgres-link.ts';

const retryMinMs = 20;
const retryMaxMs = 1000;

export interface LinkOptions {
  readonly databaseUrl: string;
  readonly identity: NodeIdentity;
  /** The first connection. */
  readonly client: Client;
  /** Called once when another process has taken this node's name: this one must end. */
  readonly onFatal: (error: Error) => void;
  /** Called after a lost connection was replaced, perhaps by one to another server: balances in memory may be outdated. */
  readonly onReconnect: () => void;
}

/** A connection that is made anew, with growing pauses, whenever it was lost. */
export const createPostgresLink = ({ databaseUrl, identity, client: first, onFatal, onReconnect }: LinkOptions) => {
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
        onReconnect();
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
