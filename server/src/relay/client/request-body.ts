import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';
import { bodyMemory } from './body-memory.ts';
import { RelayError } from './relay-error.ts';

/** The client went away before its request was complete. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client disconnected');
    this.name = 'ClientGoneError';
  }
}

const inflate = (bytes: Buffer, max: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: max }, (error, inflated) => {
      if (error === null) resolve(inflated);
      else if (error instanceof RangeError) reject(new RelayError('body_too_large', { max }));
      else reject(new RelayError('invalid_json', { detail: 'the body is not valid gzip' }, error));
    });
  });

/** Pieces of this size and more have memory of their own. */
const ownMemoryMin = 16 * 1024;

/** One buffer of all pieces. Memory that only a piece used is given back at once, not when the collector finds it. */
const joined = (pieces: readonly Buffer<ArrayBuffer>[]): Buffer => {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const whole = Buffer.concat(pieces);
  for (const { buffer, byteLength } of pieces) {
    if (byteLength >= ownMemoryMin && byteLength === buffer.byteLength) buffer.transfer(0);
  }
  return whole;
};

const collect = (request: IncomingMessage, max: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // A destroyed request emits no event.
    if (request.destroyed) return reject(new ClientGoneError());
    const pieces: Buffer<ArrayBuffer>[] = [];
    let size = 0;
    request.on('data', (piece: Buffer<ArrayBuffer>) => {
      size += piece.length;
      if (size > max) {
        pieces.length = 0;
        reject(new RelayError('body_too_large', { max }));
      } else {
        pieces.push(piece);
      }
    });
    const leave = () => reject(new ClientGoneError());
    request.on('end', () => {
      request.off('close', leave);
      bodyMemory.read(size);
      resolve(joined(pieces));
    });
    request.on('close', leave);
  });

/**
 * The decoded body: inflated if it is gzip, at most `max` bytes either way. A declared length beyond that is refused,
 * by throwing, before anything is read.
 */
export const readBody = (request: IncomingMessage, max: number): Promise<Buffer> => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw new RelayError('body_encoding', { encoding: encoding.slice(0, 64) });
  if (Number(request.headers['content-length'] ?? 0) > max) throw new RelayError('body_too_large', { max });
  const body = collect(request, max);
  return encoding === 'gzip' ? body.then((bytes) => inflate(bytes, max)) : body;
};
