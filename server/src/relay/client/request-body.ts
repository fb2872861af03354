import type { HttpRequest } from '../../http/plain/exchange.ts';
import { createGunzip } from 'node:zlib';
import { joinPieces } from '../memory/join-pieces.ts';
import { largeWork } from '../memory/large-work.ts';
import { MemoryError, type MemoryPart, pieceBytes } from '../memory/memory-budget.ts';
import { bodyMemory } from './body-memory.ts';
import { RelayError } from './relay-error.ts';

/** The client went away before its request was complete. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client disconnected');
    this.name = 'ClientGoneError';
  }
}

/** Inflates piece by piece: a few bytes may become many, and what is held is counted as it grows. */
const inflate = (bytes: Buffer, max: number, memory: MemoryPart): Promise<readonly Buffer[]> =>
  new Promise((resolve, reject) => {
    const gunzip = createGunzip();
    const pieces: Buffer[] = [];
    let size = 0;
    let cost = bytes.length;
    const refuse = (error: Error) => {
      pieces.length = 0;
      gunzip.destroy();
      reject(error);
    };
    gunzip.on('data', (piece: Buffer) => {
      size += piece.length;
      cost += piece.length + pieceBytes;
      const bound = memory.resize(cost);
      if (size > max) refuse(new RelayError('body_too_large', { max }));
      else if (bound !== null) refuse(new MemoryError(bound));
      else pieces.push(piece);
    });
    gunzip.on('error', (error) =>
      refuse(new RelayError('invalid_json', { detail: 'the body is not valid gzip' }, error)),
    );
    gunzip.on('end', () => resolve(pieces));
    gunzip.end(bytes);
  });

const collect = (request: HttpRequest, max: number, memory: MemoryPart): Promise<readonly Buffer[]> =>
  new Promise((resolve, reject) => {
    // A destroyed request emits no event.
    if (request.destroyed) return reject(new ClientGoneError());
    const pieces: Buffer[] = [];
    let size = 0;
    let refused = false;
    const refuse = (error: Error) => {
      refused = true;
      pieces.length = 0;
      memory.resize(0);
      reject(error);
    };
    request.on('data', (piece: Buffer) => {
      if (refused) return;
      size += piece.length;
      pieces.push(piece);
      const bound = memory.resize(size + pieces.length * pieceBytes);
      if (size > max) refuse(new RelayError('body_too_large', { max }));
      else if (bound !== null) refuse(new MemoryError(bound));
    });
    const leave = () => reject(new ClientGoneError());
    request.on('end', () => {
      request.off('close', leave);
      if (refused) return;
      resolve(pieces);
    });
    request.on('close', leave);
  });

const countRead = (whole: Buffer, memory: MemoryPart): Buffer => {
  bodyMemory.read(whole.length);
  memory.resize(whole.length);
  return whole;
};

const joined = async (pieces: readonly Buffer[], memory: MemoryPart): Promise<Buffer> => {
  const turn = largeWork.turn(pieces.reduce((sum, { length }) => sum + length, 0));
  if (turn !== null) await turn;
  return countRead(joinPieces(pieces), memory);
};

/** A body that arrived together with its head; null: it is to be read. */
const takeWhole = (request: HttpRequest, max: number, memory: MemoryPart): Buffer | null => {
  const whole = request.takeBody?.() ?? null;
  if (whole === null) return null;
  if (whole.length > max) throw new RelayError('body_too_large', { max });
  const bound = memory.resize(whole.length + pieceBytes);
  if (bound !== null) throw new MemoryError(bound);
  return countRead(whole, memory);
};

const readLater = async (
  request: HttpRequest,
  { max, memory, isPacked }: { readonly max: number; readonly memory: MemoryPart; readonly isPacked: boolean },
): Promise<Buffer> => {
  const body = takeWhole(request, max, memory) ?? (await joined(await collect(request, max, memory), memory));
  return isPacked ? joined(await inflate(body, max, memory), memory) : body;
};

/**
 * The decoded body: inflated if it is gzip, at most `max` bytes either way. A declared length beyond that is refused,
 * before anything is read.
 */
export const readBody = (request: HttpRequest, max: number, memory: MemoryPart): Buffer | Promise<Buffer> => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw new RelayError('body_encoding', { encoding: encoding.slice(0, 64) });
  if (Number(request.headers['content-length'] ?? 0) > max) throw new RelayError('body_too_large', { max });
  const isPacked = encoding === 'gzip';
  return (isPacked ? null : takeWhole(request, max, memory)) ?? readLater(request, { max, memory, isPacked });
};
