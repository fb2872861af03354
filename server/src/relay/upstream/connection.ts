import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { BlockedAddressError } from './address-guard.ts';
import { createResponseParser, type ResponseEvents, type ResponseParser } from './response-parser.ts';
import { type RequestOwner, type RequestRest, RequestWriter } from './request-writer.ts';
import { UpstreamError } from './upstream-error.ts';

/** The target of a connection. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** The call that a connection serves. */
export interface ConnectionUser extends ResponseEvents, Pick<RequestOwner, 'waits' | 'sent'> {
  /** The connection broke before the answer was whole. */
  broken(error: UpstreamError): void;
}

export interface ConnectionOptions {
  readonly target: Target;
  readonly connectMs: number;
  readonly lookup: LookupFunction;
  /** TLS sessions by origin: a new connection resumes one instead of a full handshake. */
  readonly sessions: Map<string, Buffer>;
  /** Called once, when the connection is of no more use. */
  onClosed(connection: Connection): void;
}

/**
 * All plain connections read into this buffer. Each read is consumed before the event loop turns to the next
 * connection, so nothing may keep a reference to it.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const toUpstreamError = (error: unknown, connected: boolean): UpstreamError => {
  if (error instanceof UpstreamError) return error;
  if (error instanceof BlockedAddressError) return new UpstreamError('blocked', error);
  if (error instanceof AggregateError && error.errors.length > 0) return toUpstreamError(error.errors[0], connected);
  if (codeOf(error) === 'ETIMEDOUT') return new UpstreamError('timeout', error);
  return new UpstreamError(connected ? 'broken' : 'unreachable', error);
};

/** Opens a socket whose bytes go to `onData`, where they are valid only until it returns. */
const openSocket = (
  { target: { host, port, secure }, lookup, sessions }: ConnectionOptions,
  onData: (bytes: Buffer) => void,
): Socket => {
  const onRead = (length: number, bytes: Uint8Array): boolean => {
    onData(Buffer.from(bytes.buffer, bytes.byteOffset, length));
    return true;
  };
  if (!secure) return connectPlain({ host, port, lookup, onread: { buffer: readBuffer, callback: onRead } });
  const key = `${host}:${port}`;
  const session = sessions.get(key);
  const socket = connectTls({
    host,
    port,
    lookup,
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    ...(session && { session }),
  });
  socket.on('session', (next: Buffer) => sessions.set(key, next));
  socket.on('data', onData);
  return socket;
};

/** One connection to an upstream. It serves one call after another. */
export class Connection implements ResponseEvents {
  /** On the monotonic clock: when it became idle. */
  idleSince = 0;
  /** How long the upstream keeps an idle connection, by its own header; null: it sent none. */
  keepAliveMs: number | null = null;
  private user: ConnectionUser | null = null;
  private connected = false;
  private closed = false;
  private reusable = false;
  private whole = false;
  private readonly parser: ResponseParser;
  private readonly socket: Socket;
  private readonly writer: RequestWriter;
  private readonly options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.parser = createResponseParser(this);
    this.socket = openSocket(options, (bytes) => this.onData(bytes));
    this.writer = new RequestWriter(this.socket);
    const timer = setTimeout(() => this.fail(new UpstreamError('timeout')), options.connectMs);
    this.socket.once(options.target.secure ? 'secureConnect' : 'connect', () => {
      this.connected = true;
      clearTimeout(timer);
    });
    this.socket.setNoDelay(true);
    this.socket.on('error', (error) => this.fail(toUpstreamError(error, this.connected)));
    this.socket.on('end', () => this.onEnd());
    this.socket.on('close', () => {
      clearTimeout(timer);
      this.fail(new UpstreamError('broken'));
    });
  }

  /** Gives the connection to a call. */
  take(user: ConnectionUser): void {
    this.user = user;
  }

  /** Sends the request of the call; its answer goes to the call. Does nothing where the call is over by now. */
  send(user: ConnectionUser, head: string, body: Buffer, rest: RequestRest | null = null): void {
    if (this.user !== user) return;
    // The call before may have ended while it was paused.
    if (this.socket.isPaused()) this.socket.resume();
    this.reusable = false;
    this.parser.reset();
    if (rest === null) this.writer.send(head, body);
    else void this.writer.sendWithRest(head, body, rest, this.ownerOf(user));
  }

  private ownerOf(user: ConnectionUser): RequestOwner {
    const isCurrent = () => this.user === user;
    return {
      isCurrent,
      waits: () => user.waits(),
      sent: () => user.sent(),
      bodyFailed: (error) => {
        if (isCurrent()) this.fail(new UpstreamError('aborted', error));
      },
    };
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** The call is over, and another may follow. */
  isReusable(): boolean {
    return this.reusable && !this.closed && this.user === null && this.writer.isIdle();
  }

  /** Ends the connection without a word to its call. */
  destroy(): void {
    this.user = null;
    this.fail(new UpstreamError('aborted'));
  }

  head(status: number, headers: Parameters<ResponseEvents['head']>[1]): void {
    const seconds = /\btimeout=(\d{1,6})\b/.exec(String(headers['keep-alive'] ?? ''))?.[1];
    this.keepAliveMs = seconds === undefined ? null : Number(seconds) * 1000;
    this.user?.head(status, headers);
  }

  data(bytes: Buffer): void {
    this.user?.data(bytes);
  }

  end(reusable: boolean): void {
    this.whole = true;
    this.reusable = reusable;
  }

  private onData(bytes: Buffer): void {
    if (this.closed) return;
    const valid = this.parser.push(bytes);
    this.finish(valid);
    if (!valid) this.fail(new UpstreamError('broken'));
  }

  private onEnd(): void {
    this.parser.close();
    this.finish(false);
    this.fail(new UpstreamError('broken'));
  }

  /** Reports a whole answer, once no byte that was read could be taken for the next one. */
  private finish(valid: boolean): void {
    if (!this.whole) return;
    this.whole = false;
    this.reusable &&= valid;
    const { user } = this;
    this.user = null;
    user?.end(this.reusable);
  }

  private fail(error: UpstreamError): void {
    if (this.closed) return;
    this.closed = true;
    const { user } = this;
    this.user = null;
    this.socket.destroy();
    this.options.onClosed(this);
    user?.broken(error);
  }
}
