import { EventEmitter } from 'node:events';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpResponse } from './exchange.ts';

/** Text of the `date` header, which changes each second. */
let date = { second: 0, text: '' };
const dateText = (): string => {
  const second = Math.floor(Date.now() / 1000);
  if (second !== date.second) date = { second, text: new Date(second * 1000).toUTCString() };
  return date.text;
};

/** What may be in a header (RFC 9110, 5.5). A line end would begin another one. */
const badValue = /[^\t\x20-\x7e\x80-\xff]/;

/** The connection of a response. */
export interface ResponseOwner {
  readonly socket: Socket;
  /** How long it is kept when it is idle, as the client is told. */
  readonly keepAliveMs: number;
  /** Whether another request may follow. */
  keepsAlive(): boolean;
  /** Called once, when all of the response has left this process. */
  finished(): void;
}

/** The response to a plain request. */
export class PlainResponse extends EventEmitter implements HttpResponse {
  statusCode = 200;
  chunkedEncoding = false;
  shouldKeepAlive = true;
  headersSent = false;
  writableFinished = false;
  /** Leaves with the first bytes of the body. */
  private head = '';
  private hasEnded = false;
  private hasClosed = false;
  private readonly owner: ResponseOwner;

  constructor(owner: ResponseOwner) {
    super();
    this.owner = owner;
  }

  get socket(): Socket {
    return this.owner.socket;
  }

  get writableNeedDrain(): boolean {
    return this.socket.writableNeedDrain;
  }

  writeHead(status: number, headers: readonly string[]): void {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    let hasLength = false;
    for (let index = 0; index + 1 < headers.length; index += 2) {
      const [name = '', value = ''] = [headers[index], headers[index + 1]];
      if (badValue.test(value)) throw new TypeError(`The header ${name} has a character that no header may have`);
      if (name === 'content-length') hasLength = true;
      if (name === 'connection') this.shouldKeepAlive &&= value !== 'close';
      else head += `${name}: ${value}\r\n`;
    }
    this.shouldKeepAlive &&= this.owner.keepsAlive();
    this.chunkedEncoding = !hasLength;
    if (!hasLength) head += 'transfer-encoding: chunked\r\n';
    const connection = this.shouldKeepAlive
      ? `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(this.owner.keepAliveMs / 1000)}`
      : 'connection: close';
    this.head = `${head}date: ${dateText()}\r\n${connection}\r\n\r\n`;
    this.statusCode = status;
    this.headersSent = true;
  }

  write(bytes: Buffer, written?: () => void): void {
    this.socket.write(this.withHead(bytes), written);
  }

  end(body: Buffer | string, encoding?: 'latin1' | 'utf8'): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const sent = () => this.sent();
    if (typeof body !== 'string') this.socket.write(this.withHead(body), sent);
    else if (encoding === 'latin1') this.socket.write(this.takeHead() + body, 'latin1', sent);
    else this.socket.write(this.withHead(Buffer.from(body)), sent);
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** The connection has ended. */
  close(): void {
    if (this.hasClosed) return;
    this.hasClosed = true;
    this.emit('close');
  }

  private sent(): void {
    // A write whose connection broke is reported too.
    if (this.socket.destroyed) return;
    this.writableFinished = true;
    this.close();
    this.owner.finished();
  }

  private takeHead(): string {
    const { head } = this;
    this.head = '';
    return head;
  }

  private withHead(bytes: Buffer): Buffer {
    const head = this.takeHead();
    if (head === '') return bytes;
    const whole = Buffer.allocUnsafe(head.length + bytes.length);
    whole.write(head, 'latin1');
    bytes.copy(whole, head.length);
    return whole;
  }
}
