import type { Duplex } from 'node:stream';
import { chunkOf, lastChunk } from './chunked-coding.ts';
import type { RestReader } from './upstream-call.ts';

/** The part of a request's body that follows as it arrives. */
export interface RequestRest {
  readonly reader: RestReader;
  /** The head announced no length, so each piece is sent as a chunk. */
  readonly chunked: boolean;
}

/** The call that a request belongs to. */
export interface RequestOwner {
  /** The connection still serves this call. */
  isCurrent(): boolean;
  /** The next piece of the body has not arrived: the upstream owes nothing meanwhile. */
  waits(): void;
  /** A piece of the body, or its end, is being sent. */
  sent(): void;
  /** The body could not be read. */
  bodyFailed(error: unknown): void;
}

/** Requests up to this size leave in one write together with their head. */
const joinedMax = 16 * 1024;

const drained = (socket: Duplex): Promise<void> => {
  if (socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
};

/** Writes one request after another to a connection's socket. */
export class RequestWriter {
  private sending = false;
  private readonly socket: Duplex;

  constructor(socket: Duplex) {
    this.socket = socket;
  }

  /** Everything was sent, and has left this process. */
  isIdle(): boolean {
    return !this.sending && this.socket.writableLength === 0;
  }

  /** Sends a request whose body is here. */
  send(head: string, body: Buffer): void {
    const { socket } = this;
    if (body.length > joinedMax) {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body);
      socket.uncork();
      return;
    }
    const bytes = Buffer.allocUnsafe(head.length + body.length);
    bytes.write(head, 'latin1');
    body.copy(bytes, head.length);
    socket.write(bytes);
  }

  /** Sends a request whose body is not here whole, as fast as the upstream takes it, and stops when the call is over. */
  async sendWithRest(head: string, body: Buffer, rest: RequestRest, owner: RequestOwner): Promise<void> {
    const { reader, chunked } = rest;
    this.sending = true;
    this.send(head, chunked && body.length > 0 ? chunkOf([body], body.length) : body);
    try {
      for (;;) {
        owner.waits();
        const piece = await reader.next();
        if (!owner.isCurrent()) return;
        owner.sent();
        if (piece === null) break;
        if (!this.socket.write(chunked ? chunkOf([piece], piece.length) : piece)) await drained(this.socket);
        if (!owner.isCurrent()) return;
      }
      if (chunked) this.socket.write(lastChunk);
      this.sending = false;
    } catch (error) {
      owner.bodyFailed(error);
    }
  }
}
