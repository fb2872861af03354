import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { WebSocket } from 'ws';
import type { UpstreamRequest } from '../../providers/provider.ts';
import { type AddressGuard, BlockedAddressError } from './address-guard.ts';
import type { BodyRest } from './body-rest.ts';
import { Connection, type ConnectionUser, type Target } from './connection.ts';
import type { CallTimes, RelayLimits } from '../limits.ts';
import { openSocket } from './open-socket.ts';
import { SocketCall } from './socket-call.ts';
import { createBatchPerTick } from './batch-per-tick.ts';
import { UpstreamError } from './upstream-error.ts';

/** Where an answer goes. `end` and `fail` come once, one of them, and nothing after. */
export interface UpstreamSink {
  head(status: number, headers: IncomingHttpHeaders): void;
  /** The bytes are the sink's to keep. */
  data(chunk: Buffer): void;
  end(): void;
  fail(error: UpstreamError): void;
}

/** A running call. */
export interface UpstreamCall {
  /** Stops reading: the sender feels it by flow control. */
  pause(): void;
  resume(): void;
  /** Ends the call at once; the sink is told `aborted` unless it had its end. */
  abort(): void;
}

/** How a request is sent. */
export interface Sending {
  /** Absent: the limits'. */
  readonly times?: CallTimes | undefined;
  /** Follows the request's body as it comes; absent: nothing does. */
  readonly rest?: BodyRest | null | undefined;
}

/** Sends requests over kept-alive connections, and those to WebSockets over one each. Nothing behind this interface is known outside of this file. */
export interface Upstream {
  send(request: UpstreamRequest, sink: UpstreamSink, sending?: Sending): UpstreamCall;
  /** Begins to open a WebSocket that its caller ends. Throws `UpstreamError` where it must not be opened. */
  socket(request: UpstreamRequest, messageMax: number): WebSocket;
  /** Breaks what still runs. */
  close(): Promise<void>;
}

export interface UpstreamDeps {
  readonly guard: AddressGuard;
  readonly limits: RelayLimits;
}

/**
 * The calls that run. A list with swapped removal, not a set: a set that grows and shrinks with every request leaves a
 * chain of old tables behind, each of which keeps finished calls alive until a full garbage collection.
 */
const createRunning = () => {
  const list: HttpCall[] = [];
  return {
    list,
    add: (exchange: HttpCall) => {
      exchange.place = list.length;
      list.push(exchange);
    },
    remove: (exchange: HttpCall) => {
      const last = list.pop();
      if (last === undefined || last === exchange) return;
      list[exchange.place] = last;
      last.place = exchange.place;
    },
  };
};

type Running = ReturnType<typeof createRunning>;

/** The connections to one origin; the one used last is used next, so that the others can be given up. */
interface Pool {
  readonly target: Target;
  readonly host: string;
  readonly running: Running;
  idle: Connection[];
}

/** How the length of a body is told; one whose end is not known is sent in chunks. */
const lengthOf = ({ body }: UpstreamRequest, rest: BodyRest | null): string => {
  const length = rest === null ? 0 : rest.length;
  return length === null ? 'transfer-encoding: chunked' : `content-length: ${body.length + length}`;
};

const headOf = (request: UpstreamRequest, host: string, rest: BodyRest | null): string => {
  const { method, path, headers } = request;
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\naccept-encoding: identity\r\n${lengthOf(request, rest)}\r\n`;
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${head}\r\n`;
};

interface HttpCallOptions {
  readonly times: CallTimes;
  readonly rest: BodyRest | null;
}

/** One call on its connection. */
class HttpCall implements ConnectionUser, UpstreamCall {
  /** In the list of running calls. */
  place = 0;
  private connection: Connection | null = null;
  private over = false;
  private paused = false;
  /** On the monotonic clock: when silence, and when the whole call, has lasted too long. */
  private silentUntil: number;
  private readonly totalUntil: number;
  private readonly request: UpstreamRequest;
  private readonly sink: UpstreamSink;
  private readonly pool: Pool;
  private readonly times: CallTimes;
  private readonly rest: BodyRest | null;

  constructor(request: UpstreamRequest, sink: UpstreamSink, pool: Pool, { times, rest }: HttpCallOptions) {
    this.rest = rest;
    this.times = times;
    const now = performance.now();
    this.request = request;
    this.sink = sink;
    this.pool = pool;
    this.silentUntil = now + times.firstByteMs;
    this.totalUntil = now + times.totalMs;
    pool.running.add(this);
  }

  /** Takes a connection; `start` sends the request on it. */
  take(connection: Connection): void {
    this.connection = connection;
    connection.take(this);
  }

  start(): void {
    const { rest, request, pool } = this;
    const later = rest === null ? null : { reader: rest.open(), chunked: rest.length === null };
    this.connection?.send(this, headOf(request, pool.host, rest), request.body, later);
  }

  head(status: number, headers: IncomingHttpHeaders): void {
    this.heard();
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') this.fail(new UpstreamError('encoded'));
    else if (!this.over) this.sink.head(status, headers);
  }

  data(bytes: Buffer): void {
    this.heard();
    // The connection's bytes do not outlast this turn.
    if (!this.over) this.sink.data(Buffer.from(bytes));
  }

  end(): void {
    const { connection } = this;
    if (!this.finish()) return;
    if (connection !== null) this.giveBack(connection);
    this.sink.end();
  }

  broken(error: UpstreamError): void {
    if (this.finish()) this.sink.fail(error);
  }

  pause(): void {
    this.paused = true;
    this.connection?.pause();
  }

  resume(): void {
    this.paused = false;
    this.heard();
    this.connection?.resume();
  }

  abort(): void {
    this.fail(new UpstreamError('aborted'));
  }

  /** Ends the call from this side for a reason. */
  fail(reason: UpstreamError): void {
    const { connection } = this;
    if (!this.finish()) return;
    connection?.destroy();
    this.sink.fail(reason);
  }

  check(now: number): void {
    if (now > this.totalUntil || (!this.paused && now > this.silentUntil)) this.fail(new UpstreamError('timeout'));
  }

  waits(): void {
    this.silentUntil = Infinity;
  }

  sent(): void {
    this.silentUntil = performance.now() + this.times.firstByteMs;
  }

  private giveBack(connection: Connection): void {
    if (!connection.isReusable()) return connection.destroy();
    connection.idleSince = performance.now();
    this.pool.idle.push(connection);
  }

  private heard(): void {
    this.silentUntil = performance.now() + this.times.idleMs;
  }

  private finish(): boolean {
    if (this.over) return false;
    this.over = true;
    this.connection = null;
    this.pool.running.remove(this);
    return true;
  }
}

/** Less than the 5 seconds after which common servers close an idle connection. */
const idleMs = 4000;
const idleMostMs = 60_000;
const sweepMs = 500;

const targetOf = (origin: string): Target => {
  const url = new URL(origin);
  const secure = url.protocol === 'https:';
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || (secure ? 443 : 80), secure };
};

/** What may stand in a request line and in a header: anything else could write lines of its own. */
const safePath = /^\/[\x21-\x7e]*$/;
const unsafeHeader = /[^\t\x20-\x7e\x80-\xff]/;

const createPools = ({ guard, limits }: UpstreamDeps, running: Running) => {
  const pools = new Map<string, Pool>();
  const sessions = new Map<string, Buffer>();
  const poolOf = (origin: string): Pool => {
    const known = pools.get(origin);
    if (known !== undefined) return known;
    const pool = { target: targetOf(origin), host: new URL(origin).host, running, idle: [] };
    pools.set(origin, pool);
    return pool;
  };
  const connectionTo = (pool: Pool): Connection => {
    const idle = pool.idle.pop();
    if (idle !== undefined) return idle;
    // A literal address is never looked up, so it is judged here.
    if (isIP(pool.target.host) !== 0 && !guard.allows(pool.target.host))
      throw new BlockedAddressError(pool.target.host);
    return new Connection({
      target: pool.target,
      connectMs: limits.connectMs,
      lookup: guard.lookup,
      sessions,
      onClosed: (closed) => {
        if (pool.idle.includes(closed)) pool.idle = pool.idle.filter((connection) => connection !== closed);
      },
    });
  };
  /** Gives up what was idle for longer than the upstream keeps it. */
  const sweep = (now: number) => {
    for (const pool of pools.values()) {
      for (const connection of pool.idle.slice()) {
        const kept = connection.keepAliveMs === null ? idleMs : Math.min(idleMostMs, connection.keepAliveMs - 1000);
        if (now - connection.idleSince > kept) connection.destroy();
      }
    }
  };
  return { pools, poolOf, connectionTo, sweep };
};

const isSocket = ({ origin }: UpstreamRequest): boolean => origin.startsWith('ws');

export const createUpstream = (deps: UpstreamDeps): Upstream => {
  const { limits } = deps;
  const sockets = new Set<SocketCall>();
  const callOver = (request: UpstreamRequest, sink: UpstreamSink, times: CallTimes): UpstreamCall => {
    const call = new SocketCall(request, sink, { ...deps, times, onOver: (over) => void sockets.delete(over) });
    sockets.add(call);
    return call;
  };
  const running = createRunning();
  const atTurnEnd = createBatchPerTick();
  const { pools, poolOf, connectionTo, sweep } = createPools(deps, running);
  const timer = setInterval(
    () => {
      const now = performance.now();
      for (const exchange of running.list.slice()) exchange.check(now);
      sweep(now);
    },
    Math.max(10, Math.min(sweepMs, limits.firstByteMs / 4, limits.idleMs / 4, limits.totalMs / 4)),
  );
  timer.unref();

  return {
    send: (request, sink, { times = limits, rest = null } = {}) => {
      if (isSocket(request)) return callOver(request, sink, times);
      const pool = poolOf(request.origin);
      const exchange = new HttpCall(request, sink, pool, { times, rest });
      try {
        if (!safePath.test(request.path) || unsafeHeader.test(request.headers.join('')))
          throw new UpstreamError('broken');
        exchange.take(connectionTo(pool));
        atTurnEnd(() => exchange.start());
      } catch (error) {
        exchange.fail(
          error instanceof BlockedAddressError
            ? new UpstreamError('blocked', error)
            : new UpstreamError('broken', error),
        );
      }
      return exchange;
    },
    socket: (request, messageMax) => openSocket(request, { ...deps, messageMax }),
    close: async () => {
      clearInterval(timer);
      for (const exchange of running.list.slice()) exchange.abort();
      for (const call of sockets) call.abort();
      for (const pool of pools.values()) for (const connection of pool.idle.slice()) connection.destroy();
    },
  };
};
