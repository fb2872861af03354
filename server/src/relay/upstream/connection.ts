import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { BlockedAddressError } from './address-guard.ts';
import type { RestReader } from './body-rest.ts';
import { createResponseParser, type ResponseEvents, type ResponseParser } from './response-parser.ts';
import { UpstreamError } from './upstream-error.ts';
import { chunkOf, lastChunk } from './chunked-coding.ts';

/** Where a connection goes. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** Who uses a connection at the moment. */
export interface ConnectionUser extends ResponseEvents {
  /** The connection broke before the answer was whole. */
  broken(error: UpstreamError): void;
  /** The rest of its body is waited for: the upstream owes nothing meanwhile. */
  waits(): void;
  /** A piece of the rest, or its end, is on its way. */
  sent(): void;
}

/** What follows a request's body as it comes. */
export interface SentLater {
  readonly reader: RestReader;
  /** The head told no length, so that each piece tells its own. */
  readonly chunked: boolean;
}

export interface ConnectionOptions {
  readonly target: Target;
  readonly connectMs: number;
  readonly lookup: LookupFunction;
  /** TLS sessions by origin, so that a new connection need not shake hands in full. */
  readonly sessions: Map<string, Buffer>;
  /** Called once, when the connection is of no more use. */
  onClosed(connection: Connection): void;
}

/**
 * Every plain connection reads into these bytes: what was read is used up before the event loop goes on to the next
 * one, and nothing that outlasts it may refer to them.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** Requests up to this size leave in one write together with their head. */
const joinedMax = 16 * 1024;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const toUpstreamError = (error: unknown, connected: boolean): UpstreamError => {
  if (error instanceof UpstreamError) return error;
  if (error instanceof BlockedAddressError) return new UpstreamError('blocked', error);
  if (error instanceof AggregateError && error.errors.length > 0) return toUpstreamError(error.errors[0], connected);
  if (codeOf(error) === 'ETIMEDOUT') return new UpstreamError('timeout', error);
  return new UpstreamError(connected ? 'broken' : 'unreachable', error);
};

/** One connection to an upstream, which carries one exchange after another. */
export class Connection implements ResponseEvents {
  /** On the monotonic clock: when it became idle. */
  idleSince = 0;
  /** How long the upstream keeps an idle connection, as it told; null: it did not. */
  keepAliveMs: number | null = null;
  private user: ConnectionUser | null = null;
  private connected = false;
  private closed = false;
  private reusable = false;
  private whole = false;
  /** A request is not sent to its end yet. */
  private sending = false;
  private readonly parser: ResponseParser;
  private readonly socket: Socket;
  private readonly options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.parser = createResponseParser(this);
    this.socket = this.open(options);
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

  /** Gives the connection to a user, who is told when it breaks. */
  take(user: ConnectionUser): void {
    this.user = user;
  }

  /** Sends the user's request; the answer goes to him until it is whole or broken. Nothing, where he is gone by now. */
  send(user: ConnectionUser, head: string, body: Buffer, later: SentLater | null = null): void {
    if (this.user !== user) return;
    this.sending = later !== null;
    this.write(head, later?.chunked && body.length > 0 ? chunkOf([body], body.length) : body);
    if (later !== null) void this.sendLater(user, later);
  }

  private write(head: string, body: Buffer): void {
    // The exchange before may have paused it and come to its end all the same.
    if (this.socket.isPaused()) this.socket.resume();
    this.reusable = false;
    this.parser.reset();
    if (body.length > joinedMax) {
      this.socket.cork();
      this.socket.write(head, 'latin1');
      this.socket.write(body);
      this.socket.uncork();
      return;
    }
    const bytes = Buffer.allocUnsafe(head.length + body.length);
    bytes.write(head, 'latin1');
    body.copy(bytes, head.length);
    this.socket.write(bytes);
  }

  /** Sends what follows, as fast as the upstream takes it; nothing more once the exchange is over. */
  private async sendLater(user: ConnectionUser, { reader, chunked }: SentLater): Promise<void> {
    try {
      for (;;) {
        user.waits();
        const piece = await reader.next();
        if (this.user !== user || this.closed) return;
        user.sent();
        if (piece === null) break;
        if (!this.socket.write(chunked ? chunkOf([piece], piece.length) : piece)) await this.drained();
        if (this.user !== user) return;
      }
      if (chunked) this.socket.write(lastChunk);
      this.sending = false;
    } catch (error) {
      if (this.user === user) this.fail(new UpstreamError('aborted', error));
    }
  }

  private drained(): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.socket.off('drain', done);
        this.socket.off('close', done);
        resolve();
      };
      this.socket.on('drain', done);
      this.socket.on('close', done);
    });
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** The exchange is over, and another may follow. */
  isReusable(): boolean {
    const { socket, sending } = this;
    return this.reusable && !this.closed && this.user === null && !sending && socket.writableLength === 0;
  }

  /** Ends the connection without telling its user. */
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

  private open({ target: { host, port, secure }, lookup, sessions }: ConnectionOptions): Socket {
    const onRead = (length: number, bytes: Uint8Array): boolean => {
      this.onData(Buffer.from(bytes.buffer, bytes.byteOffset, length));
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
    socket.on('data', (bytes: Buffer) => this.onData(bytes));
    return socket;
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

  /** Tells the user of a whole answer, once nothing of what was read is left that could be taken for the next one. */
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
