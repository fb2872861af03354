import type { IncomingHttpHeaders } from 'node:http';
import type { UpstreamRequest } from '../../providers/provider.ts';
import type { CallTimes } from '../limits.ts';
import { CallDeadlines } from './call-deadlines.ts';
import type { Connection, ConnectionUser } from './connection.ts';
import { decodedBody } from './decoded-body.ts';
import type { ForwardProxy } from '../forward-proxy.ts';
import type { Target } from './tcp-socket.ts';
import type { BodyRest, UpstreamCall, UpstreamSink } from './upstream-call.ts';
import { UpstreamError } from './upstream-error.ts';

/**
 * The running calls. A list with swapped removal, not a set: a set that grows and shrinks with every request leaves a
 * chain of old tables behind, each of which keeps finished calls alive until a full garbage collection.
 */
export const createRunningCalls = () => {
  const list: HttpCall[] = [];
  return {
    list,
    add: (call: HttpCall) => {
      call.index = list.length;
      list.push(call);
    },
    remove: (call: HttpCall) => {
      const last = list.pop();
      if (last === undefined || last === call) return;
      list[call.index] = last;
      last.index = call.index;
    },
  };
};

export type RunningCalls = ReturnType<typeof createRunningCalls>;

/** The connections to one origin. The one used last is used next, so that the others become idle and are closed. */
export interface Pool {
  /** The origin, and the proxy of its channel if that has one. */
  readonly name: string;
  readonly target: Target;
  /** Null: none. */
  readonly proxy: ForwardProxy | null;
  readonly host: string;
  readonly running: RunningCalls;
  idle: Connection[];
  /** How many are open, idle or not. */
  connections: number;
}

const giveBack = (pool: Pool, connection: Connection): void => {
  if (!connection.isReusable()) return connection.destroy();
  connection.idleSince = performance.now();
  pool.idle.push(connection);
};

/** The header of the body's length; a body of unknown length is sent in chunks. */
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

const followingOf = (rest: BodyRest | null) =>
  rest === null ? null : { reader: rest.open(), chunked: rest.length === null };

/** The sink of a body in its encoding; null: the encoding is unknown. */
const sinkFor = ({ 'content-encoding': encoding }: IncomingHttpHeaders, sink: UpstreamSink): UpstreamSink | null =>
  encoding === undefined || encoding === 'identity' ? sink : decodedBody(encoding, sink);

interface HttpCallOptions {
  readonly times: CallTimes;
  readonly rest: BodyRest | null;
}

/** One call on its connection. */
export class HttpCall implements ConnectionUser, UpstreamCall {
  /** In the list of running calls. */
  index = 0;
  private connection: Connection | null = null;
  private over = false;
  /** Whether the request had left this process when the answer ended. */
  private wasSent = false;
  private readonly request: UpstreamRequest;
  private sink: UpstreamSink;
  private readonly pool: Pool;
  private readonly rest: BodyRest | null;
  readonly deadlines: CallDeadlines;

  constructor(request: UpstreamRequest, sink: UpstreamSink, pool: Pool, { times, rest }: HttpCallOptions) {
    this.request = request;
    this.sink = sink;
    this.pool = pool;
    this.rest = rest;
    this.deadlines = new CallDeadlines(times);
    pool.running.add(this);
  }

  /** Takes a connection; `start` sends the request on it. */
  take(connection: Connection): void {
    this.connection = connection;
    connection.take(this);
  }

  start(): void {
    const { rest, request, pool } = this;
    this.connection?.send(this, headOf(request, pool.host, rest), request.body, followingOf(rest));
  }

  head(status: number, headers: IncomingHttpHeaders): void {
    this.deadlines.onData();
    const sink = sinkFor(headers, this.sink);
    if (sink === null) return this.fail(new UpstreamError('encoded'));
    this.sink = sink;
    if (!this.over) sink.head(status, headers);
  }

  data(bytes: Buffer): void {
    this.deadlines.onData();
    // The connection reuses its buffer: the sink gets a copy.
    if (!this.over) this.sink.data(Buffer.from(bytes));
  }

  end(): void {
    const { connection } = this;
    this.wasSent = this.isSent();
    if (!this.finish()) return;
    if (connection !== null) giveBack(this.pool, connection);
    this.sink.end();
  }

  broken(error: UpstreamError): void {
    if (this.finish()) this.sink.fail(error);
  }

  isSent(): boolean {
    return this.connection?.isSent() ?? this.wasSent;
  }

  pause(): void {
    this.deadlines.pause();
    this.sink.pause?.();
    this.connection?.pause();
  }

  resume(): void {
    this.deadlines.resume();
    this.sink.resume?.();
    this.connection?.resume();
  }

  abort(): void {
    this.fail(new UpstreamError('aborted'));
  }

  /** Ends the call from this side for a reason. */
  fail(reason: UpstreamError): void {
    const { connection } = this;
    if (!this.finish()) return this.sink.stop?.(reason);
    connection?.destroy();
    this.sink.fail(reason);
  }

  check(now: number): void {
    if (this.deadlines.arePassed(now)) this.fail(new UpstreamError('timeout'));
  }

  private finish(): boolean {
    if (this.over) return false;
    this.over = true;
    this.connection = null;
    this.pool.running.remove(this);
    return true;
  }
}
