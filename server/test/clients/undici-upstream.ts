import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { BlockedAddressError } from '../../src/relay/upstream/address-guard.ts';
import { causeOf, UpstreamError } from '../../src/relay/upstream/upstream-error.ts';
import type { Upstream, UpstreamDeps } from '../../src/relay/upstream/upstream.ts';
import type { UpstreamCall, UpstreamSink } from '../../src/relay/upstream/upstream-call.ts';

/** As the own client: undici sends what is not ASCII. */
const safePath = /^\/[\x21-\x7e]*$/;
const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** One call. As `UpstreamSink` demands, `end` or `fail` is called once, and nothing after it. */
class UndiciCall implements Dispatcher.DispatchHandler, UpstreamCall {
  private controller: Dispatcher.DispatchController | null = null;
  private over = false;
  private readonly sink: UpstreamSink;
  private readonly timer: NodeJS.Timeout;

  constructor(sink: UpstreamSink, totalMs: number) {
    this.sink = sink;
    this.timer = setTimeout(() => this.fail(new UpstreamError('timeout')), totalMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.over) controller.abort(new UpstreamError('aborted'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') this.fail(new UpstreamError('encoded'));
    else if (!this.over) this.sink.head(status, headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.over) this.sink.data(chunk);
  }

  onResponseEnd(): void {
    // undici frees the connection after this callback: a call that follows at once would open another one.
    if (this.finish()) setImmediate(() => this.sink.end());
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(this.faultOf(error));
  }

  pause(): void {
    this.controller?.pause();
  }

  resume(): void {
    this.controller?.resume();
  }

  /** Not known. */
  isSent(): boolean {
    return false;
  }

  abort(): void {
    this.fail(new UpstreamError('aborted'));
  }

  /** Ends the call and its connection for a reason. */
  fail(reason: UpstreamError): void {
    if (!this.finish()) return;
    this.controller?.abort(reason);
    this.sink.fail(reason);
  }

  private faultOf(error: Error): UpstreamError {
    if (error instanceof UpstreamError) return error;
    if (error instanceof BlockedAddressError) return new UpstreamError('blocked', error);
    if (timeouts.has(codeOf(error))) return new UpstreamError('timeout', error);
    const isRefused = this.controller !== null || codeOf(error) === 'UND_ERR_INVALID_ARG';
    return new UpstreamError(isRefused ? 'broken' : causeOf(error), error);
  }

  private finish(): boolean {
    if (this.over) return false;
    this.over = true;
    clearTimeout(this.timer);
    return true;
  }
}

/**
 * The relay's client for upstreams on undici's `dispatch`, for comparison (decision 5). It opens no WebSockets and sends
 * only bodies that are there in whole.
 */
export const createUndiciUpstream = ({ guard, limits }: UpstreamDeps): Upstream => {
  const agent = new Agent({ connect: { lookup: guard.lookup, timeout: limits.connectMs } });
  const unsupported = (what: string) => new Error(`undici behind this interface has no ${what}`);
  return {
    send: ({ origin, path, method, headers, body }, sink, { times = limits, rest = null } = {}) => {
      if (rest !== null || origin.startsWith('ws')) throw unsupported('WebSockets and no bodies that come later');
      const call = new UndiciCall(sink, times.totalMs);
      const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !guard.allows(host)) {
        call.fail(new UpstreamError('blocked', new BlockedAddressError(host)));
        return call;
      }
      if (!safePath.test(path)) {
        call.fail(new UpstreamError('broken'));
        return call;
      }
      const limitsOf = { headersTimeout: times.firstByteMs, bodyTimeout: times.idleMs };
      const sent = ['accept-encoding', 'identity', ...headers];
      try {
        agent.dispatch({ origin, path, method, headers: sent, body, ...limitsOf }, call);
      } catch (error) {
        call.fail(new UpstreamError('broken', error));
      }
      return call;
    },
    socket: () => {
      throw unsupported('WebSockets');
    },
    close: () => agent.destroy(),
  };
};
