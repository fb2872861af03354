import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

const topics = ['user', 'token', 'channel', 'option'] as const;

export type Topic = (typeof topics)[number];

export interface Change {
  readonly topic: Topic;
  /** The row, or an option's key; 0: anything of the topic may have changed. */
  readonly id: number | string;
}

/**
 * Notifies holders of rows in memory that one changed: in this process at once, on other nodes of a PostgreSQL soon.
 */
export interface Changes {
  /** Call it after the change is committed. */
  publish(change: Change): void;
  /** Returns what ends the subscription. */
  subscribe(topic: Topic, listener: (change: Change) => void): () => void;
  close(): Promise<void>;
}

interface ChangesOptions {
  /** PostgreSQL; absent: one process, no other node. */
  readonly databaseUrl?: string | undefined;
  /** Milliseconds before the connection is tried again. */
  readonly retryMs?: number | undefined;
}

const postgresChannel = 'weir_changes';

const createFeed = () => {
  const listeners = new Map<Topic, Set<(change: Change) => void>>(topics.map((topic) => [topic, new Set()]));
  return {
    tell: (change: Change) => {
      for (const listener of listeners.get(change.topic) ?? []) listener(change);
    },
    subscribe: (topic: Topic, listener: (change: Change) => void) => {
      listeners.get(topic)?.add(listener);
      return () => void listeners.get(topic)?.delete(listener);
    },
  };
};

const parse = (payload: string): { readonly from: string; readonly change: Change } | undefined => {
  const [from, topicName, kind, id] = payload.split(' ', 4);
  const topic = topics.find((known) => known === topicName);
  if (from === undefined || topic === undefined || id === undefined) return undefined;
  return { from, change: { topic, id: kind === 'n' ? Number(id) : decodeURIComponent(id) } };
};

const format = (from: string, { topic, id }: Change): string =>
  [from, topic, typeof id === 'number' ? 'n' : 's', encodeURIComponent(String(id))].join(' ');

/**
 * Opens the feed. A message between nodes may be lost while the connection is: after each new connection every topic
 * gets a change with id 0, so that listeners read anew.
 */
export const openChanges = async ({ databaseUrl, retryMs = 500 }: ChangesOptions): Promise<Changes> => {
  const feed = createFeed();
  if (databaseUrl === undefined) return { publish: feed.tell, subscribe: feed.subscribe, close: async () => undefined };

  const link = createLink({ databaseUrl, retryMs, feed });
  await link.connect();
  return {
    publish: (change) => {
      feed.tell(change);
      link.send(change);
    },
    subscribe: feed.subscribe,
    close: link.close,
  };
};

interface LinkOptions {
  readonly databaseUrl: string;
  readonly retryMs: number;
  readonly feed: ReturnType<typeof createFeed>;
}

const listen = async (databaseUrl: string, hear: (payload: string) => void): Promise<Client> => {
  const client = new Client({
    connectionString: databaseUrl,
    keepAlive: true,
    pipeline: true,
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => undefined);
  client.on('notification', ({ payload }) => hear(payload ?? ''));
  try {
    await client.connect();
    await client.query(`listen ${postgresChannel}`);
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
};

/** The connection to the other nodes: kept up, and what could not be sent is sent once it is back. */
const createLink = ({ databaseUrl, retryMs, feed }: LinkOptions) => {
  const from = randomUUID();
  const unsent = new Set<string>();
  let client: Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    if (client === undefined) return;
    for (const payload of unsent) {
      unsent.delete(payload);
      client.query('select pg_notify($1, $2)', [postgresChannel, payload]).catch(() => unsent.add(payload));
    }
  };
  const hear = (payload: string) => {
    const message = parse(payload);
    if (message !== undefined && message.from !== from) feed.tell(message.change);
  };
  const open = async () => {
    const next = await listen(databaseUrl, hear);
    client = next;
    next.on('end', () => {
      client = undefined;
      reopenSoon();
    });
    flush();
  };
  const reopen = async () => {
    try {
      await open();
      for (const topic of topics) feed.tell({ topic, id: 0 });
    } catch {
      reopenSoon();
    }
  };
  const reopenSoon = () => {
    if (!closed) timer = setTimeout(() => void reopen(), retryMs);
  };
  return {
    connect: open,
    send: (change: Change) => {
      unsent.add(format(from, change));
      flush();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
};
