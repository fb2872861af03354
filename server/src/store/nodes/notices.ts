import { Client } from 'pg';
import { AppError } from '../../errors.ts';

export interface NoticesOptions {
  readonly databaseUrl: string;
  /** Names this process among the senders. */
  readonly from: string;
  /** Milliseconds before the connection is tried again. */
  readonly retryMs: number;
  /** Milliseconds without proof that messages arrive. */
  readonly silenceMs: number;
  hear(payload: string): void;
  /** A connection was opened. */
  onOpen(): void;
  /** Messages may have been missed; repeated while they still may be. */
  onDoubt(): void;
}

/** Messages between nodes through PostgreSQL. */
export interface Notices {
  connect(): Promise<void>;
  /** Undefined: there is no connection. */
  send(payload: string): Promise<unknown> | undefined;
  /** For too long there was no proof that messages arrive. */
  isSilent(): boolean;
  /** Milliseconds: every message that was sent before that has arrived. */
  lagMs(): number;
  close(): Promise<void>;
}

const postgresChannel = 'weir_changes';
const timeoutMs = 5000;
/** How often a node sends itself a message, in the time after which it misses one. */
const beatsPerSilence = 2;

const listen = async (databaseUrl: string, hear: (payload: string) => void): Promise<Client> => {
  const client = new Client({
    connectionString: databaseUrl,
    keepAlive: true,
    pipeline: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  client.on('notification', ({ payload }) => hear(payload ?? ''));
  try {
    await client.connect();
    await client.query(`listen ${postgresChannel}`);
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw new AppError('unavailable', {}, error);
  }
};

/** Messages of a node to itself: they arrive in the order of the commits, so one that comes back proves all before. */
const createHeartbeat = (from: string) => {
  /** On the monotonic clock: everything committed before was heard. */
  let heardUntil = performance.now();
  let count = 0;
  let waits: { readonly payload: string; readonly sentAt: number } | undefined;
  return {
    lagMs: () => performance.now() - heardUntil,
    /** Null: the last message has not come back yet. */
    next: (): string | null => {
      if (waits !== undefined) return null;
      count += 1;
      waits = { payload: `${from} beat n ${count}`, sentAt: performance.now() };
      return waits.payload;
    },
    /** Whether the message was one of these. */
    hear: (payload: string): boolean => {
      if (payload === waits?.payload) {
        heardUntil = waits.sentAt;
        waits = undefined;
      }
      return payload.startsWith(`${from} beat `);
    },
    /** On a new connection: everything is read anew. */
    restart: () => {
      heardUntil = performance.now();
      waits = undefined;
    },
  };
};

/** Calls `beat` again and again. It is given whether this process itself stood still: what came then is not read yet. */
const createBeats = (everyMs: number, beat: (stoodStill: boolean) => void) => {
  let last = performance.now();
  const timer = setInterval(() => {
    const before = last;
    last = performance.now();
    beat(last - before > beatsPerSilence * everyMs);
  }, everyMs);
  return () => clearInterval(timer);
};

/** Keeps a connection up, through losses with and without a sign of them. */
export const createNotices = (options: NoticesOptions): Notices => {
  const { databaseUrl, from, retryMs, silenceMs, onOpen, onDoubt } = options;
  const heartbeat = createHeartbeat(from);
  let client: Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let stopBeats: (() => void) | undefined;

  const send = (payload: string) => client?.query('select pg_notify($1, $2)', [postgresChannel, payload]);
  const hear = (payload: string) => {
    if (!heartbeat.hear(payload)) options.hear(payload);
  };
  const open = async () => {
    const next = await listen(databaseUrl, hear);
    if (closed) return next.end();
    client = next;
    heartbeat.restart();
    next.on('end', () => {
      if (client === next) lose();
    });
    onOpen();
  };
  const reopenSoon = () => {
    if (!closed) timer = setTimeout(() => void open().then(onDoubt, reopenSoon), retryMs);
  };
  const lose = () => {
    client = undefined;
    reopenSoon();
  };
  const beat = (stoodStill: boolean) => {
    if (stoodStill || heartbeat.lagMs() <= silenceMs) {
      const payload = heartbeat.next();
      if (payload !== null) send(payload)?.catch(() => undefined);
      return;
    }
    onDoubt();
    const lost = client;
    if (lost === undefined) return;
    lose();
    lost.end().catch(() => undefined);
  };
  return {
    connect: async () => {
      await open();
      stopBeats = createBeats(silenceMs / beatsPerSilence, beat);
    },
    send,
    isSilent: () => client === undefined || heartbeat.lagMs() > silenceMs,
    lagMs: heartbeat.lagMs,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      stopBeats?.();
      await client?.end();
    },
  };
};
