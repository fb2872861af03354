import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientGoneError } from './request-body.ts';

/** The answering side of one call. */
export interface Client {
  /** The client closed its connection, or it was dropped because it took nothing for too long. */
  gone(): boolean;
  /** Something was sent: from now on no other channel can be tried and no error status be given. */
  started(): boolean;
  /** Called at most once, when the client goes away before its answer is complete. */
  onGone(listener: () => void): void;
  /** A whole answer. */
  answer(status: number, headers: readonly string[], body: Buffer | string): void;
  startStream(headers: readonly string[]): void;
  /** Null: go on; otherwise resolves when the client has taken enough, and rejects when it is gone. */
  write(bytes: Buffer): Promise<void> | null;
  /** Ends a stream properly. */
  end(bytes: Buffer): void;
  /** Ends a stream so that nobody takes it for complete: the closing chunk of the HTTP body never comes. */
  breakOff(bytes: Buffer): void;
}

/** Reading on after an early refusal lets the client see the answer before its connection ends. */
const lingerBytes = 64 * 1024;
const lingerMs = 1000;

/** Takes what is left of a refused request, a little of it, and closes the connection. */
const linger = (request: IncomingMessage): void => {
  let left = lingerBytes;
  const stop = () => request.socket.destroy();
  const timer = setTimeout(stop, lingerMs);
  request.socket.once('close', () => clearTimeout(timer));
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) stop();
  });
  request.once('end', stop);
  request.resume();
};

export interface ClientOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Names and values that every answer carries. */
  readonly headers: readonly string[];
  readonly stalledMs: number;
}

const untilDrained = (response: ServerResponse, stalledMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer);
      response.off('drain', drained);
      response.off('close', closed);
    };
    const drained = () => {
      finish();
      resolve();
    };
    const closed = () => {
      finish();
      reject(new ClientGoneError());
    };
    const timer = setTimeout(() => response.destroy(), stalledMs);
    response.once('drain', drained);
    response.once('close', closed);
  });

export const createClient = ({ request, response, headers: common, stalledMs }: ClientOptions): Client => {
  let gone = false;
  let listener: (() => void) | null = null;
  response.once('close', () => {
    if (response.writableFinished) return;
    gone = true;
    listener?.();
  });
  // Functions, not getters: V8 gives every object literal with getters a shape of its own, which fills the old generation.
  return {
    gone: () => gone,
    started: () => response.headersSent,
    onGone: (called) => {
      listener = called;
      if (gone) called();
    },
    answer: (status, headers, body) => {
      if (gone || response.headersSent) return;
      const length = String(Buffer.byteLength(body));
      const unread = !request.complete;
      const closing = unread ? ['connection', 'close'] : [];
      response.writeHead(status, [...common, ...headers, 'content-length', length, ...closing]);
      response.end(request.method === 'HEAD' ? undefined : body);
      if (unread) linger(request);
    },
    startStream: (headers) => {
      if (!gone) response.writeHead(200, [...common, ...headers]);
    },
    write: (bytes) => {
      if (gone) return Promise.reject(new ClientGoneError());
      return response.write(bytes) ? null : untilDrained(response, stalledMs);
    },
    end: (bytes) => {
      if (!gone) response.end(bytes);
    },
    breakOff: (bytes) => {
      if (gone) return;
      response.write(bytes, () => response.socket?.destroySoon());
    },
  };
};
