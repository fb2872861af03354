import type { Embedded, EmbeddingsRequest } from '../../conversation/embeddings.ts';
import { isObject, type Json, numberAt, objectAt, objectsAt, parseJson, textAt } from '../../conversation/json.ts';
import type { RequestHead, Dialect, EmbeddingsWriter, Inbound, ReadFault } from '../dialect.ts';
import { decodeSegment } from '../scan/decode-segment.ts';
import { geminiErrors } from './gemini-errors.ts';
import { fault, modelOf, scanBody } from '../scan/member-scan.ts';
import { plainInbound } from '../plain-inbound.ts';

/** The model is in the path: `/v1beta/models/{model}:{method}`. */
const path = /^\/v1(?:beta)?\/models\/([^:]+):(embedContent|batchEmbedContents)$/;

const scannedMembers = new Set(['content', 'requests']);

const parsed = (bytes: Buffer): Json => {
  const body = parseJson(bytes.toString());
  return isObject(body) ? body : {};
};

/** The requests of a body: itself, or those of its list. */
const requestsIn = (body: Json): readonly Json[] => ('requests' in body ? objectsAt(body, 'requests') : [body]);

const textIn = (request: Json): string =>
  objectsAt(objectAt(request, 'content'), 'parts')
    .map((part) => textAt(part, 'text'))
    .join('');

const embeddingsOf = (bytes: Buffer): EmbeddingsRequest | ReadFault => {
  const requests = requestsIn(parsed(bytes));
  const [first = {}] = requests;
  const texts = requests.map(textIn);
  if (texts.length === 0 || texts.includes('')) return fault('invalid_text_request', 'every content must have a text');
  return { texts, dimensions: numberAt(first, 'outputDimensionality'), packed: false };
};

/** Every request names the model once more. */
const redirected = (bytes: Buffer, model: string): Buffer => {
  const body = parsed(bytes);
  const named = (request: Json): Json => ('model' in request ? { ...request, model: `models/${model}` } : request);
  const requests = body['requests'];
  const inner = Array.isArray(requests)
    ? { requests: requests.map((item: unknown) => (isObject(item) ? named(item) : item)) }
    : {};
  return Buffer.from(JSON.stringify({ ...named(body), ...inner }));
};

/** Reads a request for embeddings without building it. Never throws. */
const readEmbeddings = (bytes: Buffer, head: RequestHead): Inbound | ReadFault => {
  const [, name = '', method] = path.exec(head.path) ?? [];
  const model = modelOf(decodeSegment(name));
  if (typeof model !== 'string') return model;
  const scanned = scanBody(bytes, scannedMembers);
  if (scanned.kind === 'fault') return scanned;
  const member = method === 'embedContent' ? 'content' : 'requests';
  if (!scanned.members.has(member)) return fault('invalid_text_request', `field ${member} is required`);
  return {
    ...plainInbound({ bytes, scanned, model, prompt: [], embeddings: () => embeddingsOf(bytes) }),
    edit: (changes) => (changes.model === undefined ? bytes : redirected(bytes, changes.model)),
    countable: () => Buffer.from(JSON.stringify({ prompt: requestsIn(parsed(bytes)).map(textIn) })),
  };
};

const written =
  (form: (vectors: readonly object[]) => object): EmbeddingsWriter =>
  ({ vectors }: Embedded) =>
    Buffer.from(JSON.stringify(form(vectors.map((values) => ({ values })))));

/** `embedContent`: one vector. */
const one: Dialect = {
  format: 'gemini-embed',
  headers: [],
  read: readEmbeddings,
  errors: geminiErrors,
  embeddings: written(([embedding]) => ({ embedding })),
};

/** `batchEmbedContents`: as many as requests. */
const batch: Dialect = {
  ...one,
  format: 'gemini-batch-embed',
  embeddings: written((embeddings) => ({ embeddings })),
};

/** The dialect of a path of Gemini's embeddings; null: it is another path. */
export const geminiEmbeddings = (requestPath: string): Dialect | null => {
  const method = path.exec(requestPath)?.[2];
  if (method === undefined) return null;
  return method === 'embedContent' ? one : batch;
};
