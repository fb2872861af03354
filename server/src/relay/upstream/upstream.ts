import type { WebSocket } from 'ws';
import type { UpstreamRequest } from '../../providers/provider.ts';
import { type AddressGuard, BlockedAddressError } from './address-guard.ts';
import { createRunningCalls, HttpCall } from './http-call.ts';
import type { ForwardProxy, ProxyChoice } from '../forward-proxy.ts';
import type { RelayLimits } from '../limits.ts';
import { openSocket } from './open-socket.ts';
import { createPools } from './pools.ts';
import { SocketCall } from './socket-call.ts';
import { createBatchPerTick } from './batch-per-tick.ts';
import type { SendOptions, UpstreamCall, UpstreamSink } from './upstream-call.ts';
import { UpstreamError } from './upstream-error.ts';

/** The HTTP client of the relay: kept-alive connections for requests, and one connection for each WebSocket. */
export interface Upstream {
  send(request: UpstreamRequest, sink: UpstreamSink, options?: SendOptions): UpstreamCall;
  /** Begins to open a WebSocket; the caller ends it. Throws `UpstreamError` where the address is not allowed. */
  socket(request: UpstreamRequest, messageMax: number, proxy?: ForwardProxy | null): WebSocket;
  /** Aborts the running calls. */
  close(): Promise<void>;
}

export interface UpstreamDeps {
  readonly guard: AddressGuard;
  readonly limits: RelayLimits;
  /** As for pools. */
  readonly proxyOf?: ProxyChoice;
  readonly pinned?: boolean;
}

const sweepMs = 500;

/** What is allowed in a request line and in a header: other characters could add lines. */
const safePath = /^\/[\x21-\x7e]*$/;
const unsafeHeader = /[^\t\x20-\x7e\x80-\xff]/;

const isSocket = ({ origin }: UpstreamRequest): boolean => origin.startsWith('ws');

export const createUpstream = (deps: UpstreamDeps): Upstream => {
  const { limits } = deps;
  const sockets = new Set<SocketCall>();
  const socketProxy = ({ origin }: UpstreamRequest, own: ForwardProxy | null) => own ?? deps.proxyOf?.(origin) ?? null;
  const callOver = (
    request: UpstreamRequest,
    sink: UpstreamSink,
    { times = limits, proxy }: SendOptions,
  ): UpstreamCall => {
    const through = socketProxy(request, proxy ?? null);
    const onOver = (over: SocketCall) => void sockets.delete(over);
    const call = new SocketCall(request, sink, { ...deps, times, proxy: through, onOver });
    sockets.add(call);
    return call;
  };
  const running = createRunningCalls();
  const atTurnEnd = createBatchPerTick();
  const pools = createPools({ ...deps, running });
  const timer = setInterval(
    () => {
      const now = performance.now();
      for (const call of running.list.slice()) call.check(now);
      pools.sweep(now);
    },
    Math.max(10, Math.min(sweepMs, limits.firstByteMs / 4, limits.idleMs / 4, limits.totalMs / 4)),
  );
  timer.unref();

  return {
    send: (request, sink, options = {}) => {
      if (isSocket(request)) return callOver(request, sink, options);
      const { times = limits, rest = null, proxy } = options;
      const pool = pools.of(request.origin, proxy);
      const call = new HttpCall(request, sink, pool, { times, rest });
      try {
        if (!safePath.test(request.path) || unsafeHeader.test(request.headers.join('')))
          throw new UpstreamError('broken');
        call.take(pools.connectionTo(pool));
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
    socket: (request, messageMax, proxy = null) =>
      openSocket(request, { ...deps, messageMax, proxy: socketProxy(request, proxy) }),
    close: async () => {
      clearInterval(timer);
      for (const call of running.list.slice()) call.abort();
      for (const call of sockets) call.abort();
      pools.closeIdle();
    },
  };
};
