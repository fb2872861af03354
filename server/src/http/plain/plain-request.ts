import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest } from './exchange.ts';
import type { PlainHead } from './plain-head.ts';

/** Bytes of a body that wait for their reader before the client is made to wait. */
const waitingMax = 64 * 1024;

const noBody = Buffer.alloc(0);

/** A request whose head is plain; its body comes from the connection piece by piece. */
export class PlainRequest extends EventEmitter implements HttpRequest {
  readonly method = 'POST';
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  destroyed = false;
  /** Bytes of the body that have not arrived. */
  private left: number;
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  private isRead = false;
  private isPaused = false;
  private hasEnded = false;

  constructor(head: PlainHead, socket: Socket) {
    super();
    this.url = head.url;
    this.headers = head.headers;
    this.left = head.length;
    this.socket = socket;
  }

  get complete(): boolean {
    return this.left === 0;
  }

  /** Pieces come from the first listener for them on, after the code that adds it. */
  override on(event: string, listener: (piece: Buffer) => void): this {
    super.on(event, listener);
    if (event === 'data' && !this.isPaused) this.resume();
    return this;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.isRead = true;
    process.nextTick(() => this.deliver());
  }

  /** No event tells of a body that was taken. */
  takeBody(): Buffer | null {
    const [body = noBody, more] = this.waiting;
    if (this.left > 0 || more !== undefined || this.isRead || this.destroyed) return null;
    this.waiting.length = 0;
    this.waitingBytes = 0;
    this.isRead = true;
    this.hasEnded = true;
    return body;
  }

  /** Takes what arrived of the body, and returns what follows it. */
  take(bytes: Buffer): Buffer {
    const own = bytes.subarray(0, this.left);
    this.left -= own.length;
    if (own.length > 0) {
      this.waiting.push(own);
      this.waitingBytes += own.length;
    }
    this.deliver();
    if (this.waitingBytes > waitingMax) this.socket.pause();
    return bytes.subarray(own.length);
  }

  /** The connection has ended. */
  close(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }

  private deliver(): void {
    while (this.isRead && !this.isPaused && !this.hasEnded && !this.destroyed) {
      const piece = this.waiting.shift();
      if (piece === undefined) {
        if (this.left > 0) return;
        this.hasEnded = true;
        this.emit('end');
        return;
      }
      this.waitingBytes -= piece.length;
      if (this.left > 0 && this.waitingBytes <= waitingMax && this.socket.isPaused()) this.socket.resume();
      this.emit('data', piece);
    }
  }
}
