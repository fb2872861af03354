import { WebSocket } from 'ws';
import type { UpstreamRequest } from '../../providers/provider.ts';
import type { AddressGuard } from './address-guard.ts';
import type { ForwardProxy } from '../forward-proxy.ts';
import type { CallTimes, RelayLimits } from '../limits.ts';
import { messageBytes, openSocket } from './open-socket.ts';
import { UpstreamError } from './upstream-error.ts';
import type { UpstreamCall, UpstreamSink } from './upstream-call.ts';

export interface SocketDeps {
  readonly guard: AddressGuard;
  readonly limits: RelayLimits;
  readonly times: CallTimes;
  /** Null: none. */
  readonly proxy: ForwardProxy | null;
  /** Called once, when the call is over. */
  onOver(call: SocketCall): void;
}

const normalClosure = 1000;
const lf = Buffer.from('\n');

/**
 * One call over a WebSocket: the request's body is its first message, and every message that comes is a line of the
 * answer. An upstream that refuses the upgrade answers as over HTTP.
 */
export class SocketCall implements UpstreamCall {
  private over = false;
  private silence: NodeJS.Timeout | undefined;
  private readonly total: NodeJS.Timeout | undefined;
  private readonly socket: WebSocket | null;
  private readonly sink: UpstreamSink;
  private readonly deps: SocketDeps;

  constructor(request: UpstreamRequest, sink: UpstreamSink, deps: SocketDeps) {
    this.sink = sink;
    this.deps = deps;
    this.socket = this.open(request);
    if (this.socket === null) return;
    this.listen(this.socket, request);
    this.total = setTimeout(() => this.fail(new UpstreamError('timeout')), deps.times.totalMs);
    this.await(deps.times.firstByteMs);
  }

  pause(): void {
    clearTimeout(this.silence);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.pause();
  }

  resume(): void {
    if (this.over) return;
    this.await(this.deps.times.idleMs);
    this.socket?.resume();
  }

  /** Not known. */
  isSent(): boolean {
    return false;
  }

  abort(): void {
    this.fail(new UpstreamError('aborted'));
  }

  private open(request: UpstreamRequest): WebSocket | null {
    try {
      return openSocket(request, { ...this.deps, messageMax: this.deps.limits.eventMax });
    } catch (error) {
      const reason = error instanceof UpstreamError ? error : new UpstreamError('broken', error);
      queueMicrotask(() => this.fail(reason));
      return null;
    }
  }

  private listen(socket: WebSocket, { body }: UpstreamRequest): void {
    socket.on('open', () => {
      this.sink.head(200, { 'content-type': 'application/jsonl' });
      socket.send(body.toString());
    });
    socket.on('message', (data) => this.message(messageBytes(data)));
    socket.on('close', (code) => this.closed(code));
    socket.on('error', (error) => this.fail(new UpstreamError('broken', error)));
    socket.on('unexpected-response', (_, response) => {
      this.sink.head(response.statusCode ?? 502, response.headers);
      response.on('data', (chunk: Buffer) => this.sinkData(chunk));
      response.on('end', () => this.closed(normalClosure));
      response.on('error', (error) => this.fail(new UpstreamError('broken', error)));
    });
  }

  private message(bytes: Buffer): void {
    this.await(this.deps.times.idleMs);
    this.sinkData(Buffer.concat([bytes, lf]));
  }

  private sinkData(bytes: Buffer): void {
    if (!this.over) this.sink.data(bytes);
  }

  private closed(code: number): void {
    if (code !== normalClosure) return this.fail(new UpstreamError('broken'));
    if (this.finish()) this.sink.end();
  }

  private fail(error: UpstreamError): void {
    if (this.finish()) this.sink.fail(error);
  }

  private await(ms: number): void {
    clearTimeout(this.silence);
    if (!this.over) this.silence = setTimeout(() => this.fail(new UpstreamError('timeout')), ms);
  }

  private finish(): boolean {
    if (this.over) return false;
    this.over = true;
    clearTimeout(this.silence);
    clearTimeout(this.total);
    this.socket?.terminate();
    this.deps.onOver(this);
    return true;
  }
}
