import type { HttpRequest } from '../../http/plain/exchange.ts';
import type { RequestHead, Dialect } from '../../dialects/dialect.ts';
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

/** Reads a call without a body. */
export const readWithoutBody = ({ dialect, head }: Reading): FormRequest => {
  const inbound = dialect.read(noBody, head);
  if (inbound.kind === 'fault') throw new RelayError(inbound.code, { detail: inbound.message });
  return { inbound, rest: null };
};

/** The body, which may be parsed. */
const readJson = async (request: HttpRequest, max: number, memory: CallMemory): Promise<Buffer> => {
  const body = withoutMark(await readBody(request, max, memory.part()));
  // Joining it was a piece of work of its own.
  const turn = largeWork.turn(body.length);
  if (turn !== null) await turn;
  const weight = parsedBytes(body);
  if (weight === null) throw new RelayError('invalid_json', { detail: 'the body has too many lists and objects' });
  if (weight > 0) mustHold(memory.part(), weight);
  return body;
};

/** Reads a call; of a body that is a form only as much as is needed to begin. */
export const readRequest = async (
  bounds: FormBounds,
  request: HttpRequest,
  { dialect, head }: Reading,
): Promise<FormRequest> => {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  const form = encoding === 'identity' ? (dialect.form?.(head) ?? null) : null;
  if (form?.kind === 'form') return readForm(request, form, bounds);
  if (form === null) refuseFormType(head.contentType);
  const { limits, memory } = bounds;
  const inbound = form ?? dialect.read(await readJson(request, limits.bodyMax, memory), head);
  if (inbound.kind === 'fault') throw new RelayError(inbound.code, { detail: inbound.message });
  return { inbound, rest: null };
};
