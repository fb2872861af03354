import type { Duplex } from 'node:stream';
import type { CallDeadlines } from './call-deadlines.ts';
import { createResponseParser, type ResponseEvents } from './response-parser.ts';
import { type RequestOwner, type RequestRest, RequestWriter } from './request-writer.ts';
import { openTcpSocket, type TcpSocketOptions } from './tcp-socket.ts';
import { UpstreamError } from './upstream-error.ts';

/** The call that a connection serves. */
export interface ConnectionUser extends ResponseEvents {
  readonly deadlines: CallDeadlines;
  /** The connection broke before the answer was whole. */
  broken(error: UpstreamError): void;
}

export interface ConnectionOptions extends TcpSocketOptions {
  /** Called once, when the connection is of no more use. */
  onClosed(connection: Connection): void;
}

/** Passes the answer on a connection to the call that it serves. */
class CurrentCall implements ResponseEvents {
  /** Null: the connection serves none. */
  user: ConnectionUser | null = null;
  /** The last answer was whole, and the connection may carry another. */
  reusable = false;
  keepAliveMs: number | null = null;
  private whole = false;

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

  /** Reports a whole answer, once no byte that was read could be taken for the next one. */
  finish(valid: boolean): void {
    if (!this.whole) return;
    this.whole = false;
    this.reusable &&= valid;
    this.leave()?.end(this.reusable);
  }

  /** From now on the call gets nothing more. */
  leave(): ConnectionUser | null {
    const { user } = this;
    this.user = null;
    return user;
  }
}

/** One connection to an upstream. It serves one call after another. */
export class Connection {
  /** On the monotonic clock: when it became idle. */
  idleSince = 0;
  private closed = false;
  private readonly current = new CurrentCall();
  private readonly parser = createResponseParser(this.current);
  private readonly socket: Duplex;
  private readonly writer: RequestWriter;
  private readonly options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.socket = openTcpSocket(options, {
      onData: (bytes) => this.onData(bytes),
      onEnd: () => this.onEnd(),
      onFailed: (error) => this.fail(error),
    });
    this.writer = new RequestWriter(this.socket);
  }

  /** How long the upstream keeps an idle connection, by its own header; null: it sent none. */
  keepAliveMs(): number | null {
    return this.current.keepAliveMs;
  }

  /** Gives the connection to a call. */
  take(user: ConnectionUser): void {
    this.current.user = user;
  }

  /** Sends the request of the call; its answer goes to the call. Does nothing where the call is over by now. */
  send(user: ConnectionUser, head: string, body: Buffer, rest: RequestRest | null = null): void {
    if (this.current.user !== user) return;
    // The call before may have ended while it was paused.
    if (this.socket.isPaused()) this.socket.resume();
    this.current.reusable = false;
    this.parser.reset();
    if (rest === null) this.writer.send(head, body);
    else void this.writer.sendWithRest(head, body, rest, this.ownerOf(user));
  }

  private ownerOf(user: ConnectionUser): RequestOwner {
    const isCurrent = () => this.current.user === user;
    return {
      isCurrent,
      waits: () => user.deadlines.onRequestWaits(),
      sent: () => user.deadlines.onRequestSent(),
      bodyFailed: (error) => {
        if (isCurrent()) this.fail(new UpstreamError('aborted', error));
      },
    };
  }

  /** What was given to `send` has left this process. */
  isSent(): boolean {
    return this.writer.isIdle();
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** The call is over, and another may follow. */
  isReusable(): boolean {
    return this.current.reusable && !this.closed && this.current.user === null && this.writer.isIdle();
  }

  /** Ends the connection without a word to its call. */
  destroy(): void {
    this.current.leave();
    this.fail(new UpstreamError('aborted'));
  }

  private onData(bytes: Buffer): void {
    if (this.closed) return;
    const valid = this.parser.push(bytes);
    this.current.finish(valid);
    if (!valid) this.fail(new UpstreamError('broken'));
  }

  private onEnd(): void {
    this.parser.close();
    this.current.finish(false);
    this.fail(new UpstreamError('broken'));
  }

  private fail(error: UpstreamError): void {
    if (this.closed) return;
    this.closed = true;
    const user = this.current.leave();
    this.socket.destroy();
    this.options.onClosed(this);
    user?.broken(error);
  }
}
