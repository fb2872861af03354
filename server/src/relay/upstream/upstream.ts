import { isIP } from 'node:net';
import type { WebSocket } from 'ws';
import type { UpstreamRequest } from '../../providers/provider.ts';
import { type AddressGuard, BlockedAddressError } from './address-guard.ts';
import { Connection, type Target } from './connection.ts';
import { createRunningCalls, HttpCall, type Pool, type RunningCalls } from './http-call.ts';
import type { CallTimes, RelayLimits } from '../limits.ts';
import { openSocket } from './open-socket.ts';
import { SocketCall } from './socket-call.ts';
import { createBatchPerTick } from './batch-per-tick.ts';
import type { SendOptions, UpstreamCall, UpstreamSink } from './upstream-call.ts';
import { UpstreamError } from './upstream-error.ts';

/** The HTTP client of the relay: kept-alive connections for requests, and one connection for each WebSocket. */
export interface Upstream {
  send(request: UpstreamRequest, sink: UpstreamSink, options?: SendOptions): UpstreamCall;
  /** Begins to open a WebSocket; the caller ends it. Throws `UpstreamError` where the address is not allowed. */
  socket(request: UpstreamRequest, messageMax: number): WebSocket;
  /** Aborts the running calls. */
  close(): Promise<void>;
}

export interface UpstreamDeps {
  readonly guard: AddressGuard;
  readonly limits: RelayLimits;
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

/** What is allowed in a request line and in a header: other characters could add lines. */
const safePath = /^\/[\x21-\x7e]*$/;
const unsafeHeader = /[^\t\x20-\x7e\x80-\xff]/;

const createPools = ({ guard, limits }: UpstreamDeps, running: RunningCalls) => {
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
    // A literal address is never looked up, so it is checked here.
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
  const running = createRunningCalls();
  const atTurnEnd = createBatchPerTick();
  const { pools, poolOf, connectionTo, sweep } = createPools(deps, running);
  const timer = setInterval(
    () => {
      const now = performance.now();
      for (const call of running.list.slice()) call.check(now);
      sweep(now);
    },
    Math.max(10, Math.min(sweepMs, limits.firstByteMs / 4, limits.idleMs / 4, limits.totalMs / 4)),
  );
  timer.unref();

  return {
    send: (request, sink, { times = limits, rest = null } = {}) => {
      if (isSocket(request)) return callOver(request, sink, times);
      const pool = poolOf(request.origin);
      const call = new HttpCall(request, sink, pool, { times, rest });
      try {
        if (!safePath.test(request.path) || unsafeHeader.test(request.headers.join('')))
          throw new UpstreamError('broken');
        call.take(connectionTo(pool));
        atTurnEnd(() => call.start());
      } catch (error) {
        call.fail(
          error instanceof BlockedAddressError
            ? new UpstreamError('blocked', error)
            : new UpstreamError('broken', error),
        );
      }
      return call;
    },
    socket: (request, messageMax) => openSocket(request, { ...deps, messageMax }),
    close: async () => {
      clearInterval(timer);
      for (const call of running.list.slice()) call.abort();
      for (const call of sockets) call.abort();
      for (const pool of pools.values()) for (const connection of pool.idle.slice()) connection.destroy();
    },
  };
};
