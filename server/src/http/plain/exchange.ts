import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

/** What the relay uses of a request: Node's own have it, and those that are read here (`PlainRequest`). */
export interface HttpRequest {
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  /** The whole body has arrived, whether it was read or not. */
  readonly complete: boolean;
  /** Nothing more can be read. */
  readonly destroyed: boolean;
  /** Pieces of the body come from the first listener for them on. */
  on(event: 'data', listener: (piece: Buffer) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  once(event: 'end' | 'close', listener: () => void): unknown;
  off(event: 'data', listener: (piece: Buffer) => void): unknown;
  off(event: 'end' | 'close', listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
  /** Takes the body, where it has arrived as one piece that was not read. Null, or absent: it comes to listeners. */
  takeBody?(): Buffer | null;
}

/** What the relay uses of a response. */
export interface HttpResponse {
  statusCode: number;
  readonly headersSent: boolean;
  /** The head announced chunks: what is written must be chunks. Set to false, so that Node does not make them. */
  chunkedEncoding: boolean;
  /** Whether another request may follow. */
  shouldKeepAlive: boolean;
  readonly socket: Socket | null;
  readonly writableNeedDrain: boolean;
  /** Everything was handed to the system. */
  readonly writableFinished: boolean;
  /** Names and values in turn. */
  writeHead(status: number, headers: string[]): unknown;
  write(bytes: Buffer, written?: () => void): unknown;
  end(bytes: Buffer): unknown;
  end(text: string, encoding: 'latin1' | 'utf8'): unknown;
  destroy(): unknown;
  /** `close`: it was sent, or the connection ended before. */
  on(event: 'close' | 'drain', listener: () => void): unknown;
  once(event: 'close' | 'drain', listener: () => void): unknown;
  off(event: 'close' | 'drain', listener: () => void): unknown;
}

export type HttpHandler = (request: HttpRequest, response: HttpResponse) => void;
