import type { HttpRequest } from '../../http/plain/exchange.ts';
import type { FormReader, Inbound } from '../../dialects/dialect.ts';
import type { BodyRest } from '../upstream/upstream-call.ts';
import { type BodySource, createBodySource } from './body-source.ts';
import { createFormRest } from './form-rest.ts';
import type { RelayLimits } from '../limits.ts';
import { joinPieces } from '../memory/join-pieces.ts';
import { type CallMemory, type MemoryPart, mustHold, pieceBytes } from '../memory/memory-budget.ts';
import { RelayError } from './relay-error.ts';

/** A request whose body is a form, and the part of it that has not arrived yet. */
export interface FormRequest {
  readonly inbound: Inbound;
  /** Null: nothing. */
  readonly rest: BodyRest | null;
}

const inboundOf = (reader: FormReader, head: Buffer): Inbound => {
  const inbound = reader.read(head);
  if (inbound.kind === 'fault') throw new RelayError(inbound.code, { detail: inbound.message });
  return inbound;
};

const check = (fault: ReturnType<FormReader['push']>): void => {
  if (fault !== null) throw new RelayError(fault.code, { detail: fault.message });
};

const readBeginning = async (source: BodySource, reader: FormReader, max: number, memory: MemoryPart) => {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const piece = await source.next();
    if (piece === null) {
      check(reader.end());
      return { head: joinPieces(pieces), whole: true };
    }
    size += piece.length;
    if (size > max) throw new RelayError('form_too_large', { max });
    pieces.push(piece);
    mustHold(memory, size + pieces.length * pieceBytes);
    check(reader.push(piece));
    if (reader.ready()) return { head: joinPieces(pieces), whole: false };
  }
};

export interface FormBounds {
  readonly limits: RelayLimits;
  readonly memory: CallMemory;
}

/**
 * Reads a form up to where its call can begin: all of it, at most `formHeldMax` bytes, where the file comes before what
 * the call needs to know.
 */
export const readForm = async (
  request: HttpRequest,
  reader: FormReader,
  { limits: { formMax, formHeldMax, formKeptMax }, memory }: FormBounds,
): Promise<FormRequest> => {
  const declared = request.headers['content-length'];
  const length = declared === undefined ? null : Number(declared);
  if (length !== null && length > formMax) throw new RelayError('body_too_large', { max: formMax });
  const source = createBodySource(request);
  try {
    const { head, whole } = await readBeginning(source, reader, formHeldMax, memory.part());
    const inbound = inboundOf(reader, head);
    if (whole) return { inbound, rest: null };
    const left = length === null ? null : length - head.length;
    const max = formMax - head.length;
    return {
      inbound,
      rest: createFormRest({ source, reader, length: left, max, keptMax: formKeptMax, memory: memory.part() }),
    };
  } catch (error) {
    source.close();
    throw error;
  }
};
