import type { HttpRequest } from '../../http/plain/exchange.ts';
import type { Dialect, Inbound, ReadFault, RequestHead } from '../../dialects/dialect.ts';
import { parsedBytes } from '../../dialects/scan/json-weight.ts';
import { largeWork } from '../memory/large-work.ts';
import { type CallMemory, mustHold } from '../memory/memory-budget.ts';
import { refuseFormType } from './browser-forms.ts';
import { type FormBounds, type FormRequest, readForm } from './read-form.ts';
import { RelayError } from './relay-error.ts';
import { readBody } from './request-body.ts';

export interface Reading {
  readonly dialect: Dialect;
  readonly head: RequestHead;
}

const noBody = Buffer.alloc(0);

/** Some editors and libraries put a mark of UTF-8 in front of a text, which is not part of it. */
const withoutMark = (body: Buffer): Buffer =>
  body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;

const readAs = (inbound: Inbound | ReadFault): FormRequest => {
  if (inbound.kind === 'fault') throw new RelayError(inbound.code, { detail: inbound.message });
  return { inbound, rest: null };
};

/** Reads a call without a body. */
export const readWithoutBody = ({ dialect, head }: Reading): FormRequest => readAs(dialect.read(noBody, head));

/** A body that may be parsed. */
const weighed = (body: Buffer, memory: CallMemory): Buffer => {
  const weight = parsedBytes(body);
  if (weight === null) throw new RelayError('invalid_json', { detail: 'the body has too many lists and objects' });
  if (weight > 0) mustHold(memory.part(), weight);
  return body;
};

const readJson = (request: HttpRequest, max: number, memory: CallMemory): Buffer | Promise<Buffer> => {
  const use = (read: Buffer): Buffer | Promise<Buffer> => {
    const body = withoutMark(read);
    // Joining it was a piece of work of its own.
    const turn = largeWork.turn(body.length);
    return turn === null ? weighed(body, memory) : turn.then(() => weighed(body, memory));
  };
  const reading = readBody(request, max, memory.part());
  return reading instanceof Promise ? reading.then(use) : use(reading);
};

/** Reads a call; of a body that is a form only as much as is needed to begin. */
export const readRequest = (
  bounds: FormBounds,
  request: HttpRequest,
  { dialect, head }: Reading,
): FormRequest | Promise<FormRequest> => {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  const form = encoding === 'identity' ? (dialect.form?.(head) ?? null) : null;
  if (form?.kind === 'form') return readForm(request, form, bounds);
  if (form === null) refuseFormType(head.contentType);
  const { limits, memory } = bounds;
  if (form !== null) return readAs(form);
  const reading = readJson(request, limits.bodyMax, memory);
  return reading instanceof Promise
    ? reading.then((body) => readAs(dialect.read(body, head)))
    : readAs(dialect.read(reading, head));
};
