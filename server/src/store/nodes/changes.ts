import { randomUUID } from 'node:crypto';
import { createNotices } from './notices.ts';

const topics = ['user', 'token', 'channel', 'option', 'rate_limit', 'budget', 'period', 'run'] as const;

export type Topic = (typeof topics)[number];

export interface Change {
  readonly topic: Topic;
  /** The row, or an option's key; 0: anything of the topic may have changed. */
  readonly id: number | string;
}

/**
 * Notifies holders of rows in memory that one changed: in this process at once, on other nodes of a PostgreSQL soon.
 * There the rows themselves notify every node, in the transaction that changes them (migrations 0011, 0022, 0025, 0035); what is published
 * reaches the others in addition, for balances.
 */
export interface Changes {
  /** Call it after the change is committed. */
  publish(change: Change): void;
  /** Returns what ends the subscription. */
  subscribe(topic: Topic, listener: (change: Change) => void): () => void;
  /** Changes of other nodes may not arrive. */
  isSilent(): boolean;
  /** Milliseconds: what other nodes changed before that has arrived. */
  lagMs(): number;
  close(): Promise<void>;
}

interface ChangesOptions {
  /** PostgreSQL; absent: one process, no other node. */
  readonly databaseUrl?: string | undefined;
  /** Milliseconds before the connection is tried again. */
  readonly retryMs?: number | undefined;
  /** Milliseconds without proof that changes arrive, after which rows in memory are no longer relied on. */
  readonly silenceMs?: number | undefined;
}

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
 * gets a change with id 0, so that listeners read anew. A connection may end without a sign of it: messages arrive in
 * the order of their commits, so a message of its own that comes back proves to a node that it heard all before. While
 * none comes back, every topic gets a change with id 0 again and again.
 */
export const openChanges = async (options: ChangesOptions): Promise<Changes> => {
  const { databaseUrl, retryMs = 500, silenceMs = 2000 } = options;
  const feed = createFeed();
  if (databaseUrl === undefined) {
    return {
      publish: feed.tell,
      subscribe: feed.subscribe,
      isSilent: () => false,
      lagMs: () => 0,
      close: async () => undefined,
    };
  }

  const link = createLink({ databaseUrl, retryMs, silenceMs, feed });
  await link.connect();
  return {
    publish: (change) => {
      feed.tell(change);
      link.send(change);
    },
    subscribe: feed.subscribe,
    isSilent: link.isSilent,
    lagMs: link.lagMs,
    close: link.close,
  };
};

interface LinkOptions {
  readonly databaseUrl: string;
  readonly retryMs: number;
  readonly silenceMs: number;
  readonly feed: ReturnType<typeof createFeed>;
}

/** The connection to the other nodes: what could not be sent is sent once it is back. */
const createLink = ({ feed, ...options }: LinkOptions) => {
  const from = randomUUID();
  const unsent = new Set<string>();
  const hear = (payload: string) => {
    const message = parse(payload);
    if (message !== undefined && message.from !== from) feed.tell(message.change);
  };
  const flush = () => {
    for (const payload of unsent) {
      const sent = notices.send(payload);
      if (sent === undefined) return;
      unsent.delete(payload);
      sent.catch(() => unsent.add(payload));
    }
  };
  const onDoubt = () => {
    for (const topic of topics) feed.tell({ topic, id: 0 });
  };
  const notices = createNotices({ ...options, from, hear, onOpen: flush, onDoubt });
  return {
    connect: notices.connect,
    send: (change: Change) => {
      unsent.add(format(from, change));
      flush();
    },
    isSilent: notices.isSilent,
    lagMs: notices.lagMs,
    close: notices.close,
  };
};
