import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';
import { RelayError } from './relay-error.ts';

/** The client went away before its request was complete. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client went away');
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

const collect = (request: IncomingMessage, max: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // What has ended tells nobody of its end any more.
    if (request.destroyed) return reject(new ClientGoneError());
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > max) {
        chunks.length = 0;
        reject(new RelayError('body_too_large', { max }));
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    // Behind the end of the body this changes nothing.
    request.on('close', () => reject(new ClientGoneError()));
  });

/**
 * The body as the client meant it: inflated where it is gzip, at most `max` bytes either way. A declared length beyond
 * that is refused, by throwing, before anything is read.
 */
export const readBody = (request: IncomingMessage, max: number): Promise<Buffer> => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw new RelayError('body_encoding', { encoding: encoding.slice(0, 64) });
  if (Number(request.headers['content-length'] ?? 0) > max) throw new RelayError('body_too_large', { max });
  const body = collect(request, max);
  return encoding === 'gzip' ? body.then((bytes) => inflate(bytes, max)) : body;
};
