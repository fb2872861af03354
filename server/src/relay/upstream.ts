import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { UpstreamRequest } from '../providers/provider.ts';
import { type AddressGuard, BlockedAddressError } from './address-guard.ts';
import type { RelayLimits } from './limits.ts';
import { UpstreamError } from './upstream-error.ts';

/** Where an answer goes. `end` and `fail` come once, one of them, and nothing after. */
export interface UpstreamSink {
  head(status: number, headers: IncomingHttpHeaders): void;
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

/** Sends requests over kept-alive connections. Nothing behind this interface is known outside of this file. */
export interface Upstream {
  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamCall;
  /** Breaks what still runs. */
  close(): Promise<void>;
}

export interface UpstreamDeps {
  readonly guard: AddressGuard;
  readonly limits: RelayLimits;
}

const timeoutCodes = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
]);
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'EPROTO',
]);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const toUpstreamError = (error: unknown): UpstreamError => {
  if (error instanceof UpstreamError) return error;
  if (error instanceof BlockedAddressError) return new UpstreamError('blocked', error);
  if (error instanceof AggregateError && error.errors.length > 0) return toUpstreamError(error.errors[0]);
  const code = codeOf(error);
  if (timeoutCodes.has(code)) return new UpstreamError('timeout', error);
  return new UpstreamError(unreachableCodes.has(code) ? 'unreachable' : 'broken', error);
};

/**
 * The calls that run. A list with swapped removal, not a set: a set that grows and shrinks with every request leaves a
 * chain of old tables behind, each of which keeps finished calls alive until a full garbage collection.
 */
const createRunning = () => {
  const list: Exchange[] = [];
  return {
    list,
    add: (exchange: Exchange) => {
      exchange.place = list.length;
      list.push(exchange);
    },
    remove: (exchange: Exchange) => {
      const last = list.pop();
      if (last === undefined || last === exchange) return;
      list[exchange.place] = last;
      last.place = exchange.place;
    },
  };
};

type Running = ReturnType<typeof createRunning>;

/** One call: bridges the client library's callbacks to the sink, and lets nothing through after the end. */
class Exchange implements Dispatcher.DispatchHandler, UpstreamCall {
  private controller: Dispatcher.DispatchController | null = null;
  private over = false;
  private readonly sink: UpstreamSink;
  private readonly running: Running;
  readonly deadline: number;
  /** In the list of running calls. */
  place = 0;

  constructor(sink: UpstreamSink, running: Running, deadline: number) {
    this.sink = sink;
    this.running = running;
    this.deadline = deadline;
    running.add(this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.over) controller.abort(new UpstreamError('aborted'));
    else this.controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.over || status < 200) return;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') this.end(new UpstreamError('encoded'));
    else this.sink.head(status, headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.over) this.sink.data(chunk);
  }

  onResponseEnd(): void {
    if (this.finish()) this.sink.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.finish()) this.sink.fail(toUpstreamError(error));
  }

  pause(): void {
    if (!this.over) this.controller?.pause();
  }

  resume(): void {
    if (!this.over) this.controller?.resume();
  }

  abort(): void {
    this.end(new UpstreamError('aborted'));
  }

  /** Ends the call from this side for a reason. */
  end(reason: UpstreamError): void {
    if (!this.finish()) return;
    this.controller?.abort(reason);
    this.sink.fail(reason);
  }

  private finish(): boolean {
    if (this.over) return false;
    this.over = true;
    this.running.remove(this);
    return true;
  }
}

/** Total times are long: looking at them now and then costs less than a timer for each call. */
const sweepMs = 1000;

export const createUpstream = ({ guard, limits }: UpstreamDeps): Upstream => {
  const connectTo = buildConnector({ timeout: limits.connectMs, lookup: guard.lookup, allowH2: false });
  const connect: buildConnector.connector = (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // A literal address is never looked up, so it is judged here.
    if (isIP(host) !== 0 && !guard.allows(host)) callback(new BlockedAddressError(host), null);
    else connectTo(options, callback);
  };
  const agent = new Agent({
    connect,
    allowH2: false,
    headersTimeout: limits.firstByteMs,
    bodyTimeout: limits.idleMs,
    pipelining: 1,
  });
  const running = createRunning();
  const sweep = setInterval(
    () => {
      const now = performance.now();
      for (const exchange of running.list.slice()) if (exchange.deadline < now) exchange.end(new UpstreamError('timeout'));
    },
    Math.min(sweepMs, limits.totalMs),
  );
  sweep.unref();

  return {
    send: ({ origin, path, method, headers, body }, sink) => {
      const exchange = new Exchange(sink, running, performance.now() + limits.totalMs);
      try {
        agent.dispatch({ origin, path, method, headers: ['accept-encoding', 'identity', ...headers], body }, exchange);
      } catch (error) {
        exchange.end(toUpstreamError(error));
      }
      return exchange;
    },
    close: async () => {
      clearInterval(sweep);
      for (const exchange of running.list.slice()) exchange.abort();
      await agent.destroy();
    },
  };
};
