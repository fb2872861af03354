import type { Socket } from 'node:net';
import type { HttpHandler } from './exchange.ts';
import { readPlainHead } from './plain-head.ts';
import { PlainRequest } from './plain-request.ts';
import { PlainResponse } from './plain-response.ts';

export interface PlainOptions {
  readonly handle: HttpHandler;
  /** Milliseconds for the first byte of a new connection. */
  readonly firstByteMs: number;
  /** Milliseconds for a request with its body. */
  readonly requestMs: number;
  /** Milliseconds that an idle connection is kept, as the client is told. */
  readonly keepAliveMs: number;
  /** Whether requests for this path and query are handled here. */
  serves(url: string): boolean;
  /** Whether the server still takes requests. */
  isOpen(): boolean;
  /** Gives the connection to Node's server, which reads these bytes first. */
  handOver(socket: Socket, bytes: Buffer): void;
  /** The connection has ended, or was handed over. */
  onLeft(connection: PlainConnection): void;
}

interface Listeners {
  readonly data: (bytes: Buffer) => void;
  readonly drain: () => void;
  readonly end: () => void;
  readonly close: () => void;
}

/** The socket closes by itself behind an error. */
const onError = (): void => undefined;

const attach = (socket: Socket, { data, drain, end, close }: Listeners): void => {
  socket.on('data', data).on('drain', drain).on('end', end).on('close', close).on('error', onError);
};

const detach = (socket: Socket, { data, drain, end, close }: Listeners): void => {
  socket.off('data', data).off('drain', drain).off('end', end).off('close', close).off('error', onError);
};

/** Idle connections are kept for so much longer than the client was told: its next request may be on its way. */
const marginMs = 1000;
const timedOut = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

/**
 * A connection of a client, as long as its requests are plain: one after another, each with its length. The first bytes
 * of a request that is anything else give the connection to Node's server for good.
 */
export class PlainConnection {
  private request: PlainRequest | null = null;
  private response: PlainResponse | null = null;
  /** The beginning of the next request, sent before the answer to this one. */
  private next: Buffer | null = null;
  /** On the monotonic clock: when it was opened, or its last request began or was answered. */
  private since = performance.now();
  private hasServed = false;
  private readonly socket: Socket;
  private readonly options: PlainOptions;
  private readonly listeners: Listeners = {
    data: (bytes) => this.read(bytes),
    drain: () => void this.response?.emit('drain'),
    // A client that sends no more has left, as for Node's server.
    end: () => this.socket.destroySoon(),
    close: () => this.closed(),
  };

  constructor(socket: Socket, options: PlainOptions) {
    this.socket = socket;
    this.options = options;
    attach(socket, this.listeners);
  }

  /** It answered a request and waits for the next. */
  isIdle(): boolean {
    return this.request === null && this.hasServed;
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Ends the connection where its client takes too long. `now`: on the monotonic clock. */
  checkTime(now: number): void {
    const { request, response, socket, options } = this;
    const passed = now - this.since;
    if (this.isIdle()) {
      if (passed > options.keepAliveMs + marginMs) socket.destroy();
      return;
    }
    if (request?.complete === true || passed <= (request === null ? options.firstByteMs : options.requestMs)) return;
    // Without a byte there is no request to answer: one that is on its way would take a 408 for its own.
    if (request !== null && response?.headersSent !== true) socket.write(timedOut);
    socket.destroySoon();
  }

  private read(bytes: Buffer): void {
    const { request } = this;
    if (request === null) return this.begin(bytes);
    const rest = request.take(bytes);
    if (rest.length === 0) return;
    // Nothing more is read until the answer is sent.
    this.next = this.next === null ? rest : Buffer.concat([this.next, rest]);
    this.socket.pause();
  }

  private begin(bytes: Buffer): void {
    const { socket, options } = this;
    const head = readPlainHead(bytes);
    if (head === null || !options.serves(head.url)) return this.handOver(bytes);
    this.since = performance.now();
    const request = new PlainRequest(head, socket);
    const { keepAliveMs, isOpen: keepsAlive } = options;
    const finished = () => this.answered();
    const response = new PlainResponse({ socket, keepAliveMs, keepsAlive, finished });
    this.request = request;
    this.response = response;
    if (bytes.length > head.bytes) this.read(bytes.subarray(head.bytes));
    options.handle(request, response);
  }

  private answered(): void {
    const { request, response, next, socket } = this;
    // A refusal before the end of the body reads what is left, and ends the connection (relay/client/client.ts).
    if (request?.complete !== true) return;
    if (response?.shouldKeepAlive !== true) return socket.destroySoon();
    this.request = null;
    this.response = null;
    this.next = null;
    this.hasServed = true;
    this.since = performance.now();
    if (socket.isPaused()) socket.resume();
    if (next !== null) this.begin(next);
  }

  private handOver(bytes: Buffer): void {
    const { socket, options } = this;
    socket.pause();
    detach(socket, this.listeners);
    options.onLeft(this);
    options.handOver(socket, bytes);
  }

  private closed(): void {
    this.options.onLeft(this);
    this.request?.close();
    this.response?.close();
  }
}
