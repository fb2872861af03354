import { countOf } from '../../conversation/usage.ts';
import { type Embedded, type EmbeddingsRequest, packVector } from '../../conversation/embeddings.ts';
import { isObject, numberAt, parseJson } from '../../conversation/json.ts';
import { decodeSegment } from '../scan/decode-segment.ts';
import type { RequestHead, Dialect, Inbound, ReadFault } from '../dialect.ts';
import { fault, modelOf, scanBody, valueOf } from '../scan/member-scan.ts';
import { openAiErrors } from './openai-errors.ts';
import { plainInbound } from '../plain-inbound.ts';

const scannedMembers = new Set(['model', 'input']);

const enginePath = /^\/v1\/engines\/([^/]+)\/embeddings$/;

/** The model that an older path names; empty: the path names none. */
export const engineOf = (path: string): string => {
  const [, engine = ''] = enginePath.exec(path) ?? [];
  return decodeSegment(engine);
};

/** The texts of an input; null: it has tokens instead, or is empty. */
const textsOf = (input: unknown): readonly string[] | null => {
  if (typeof input === 'string') return [input];
  const isText = (item: unknown): item is string => typeof item === 'string';
  return Array.isArray(input) && input.length > 0 && input.every(isText) ? input : null;
};

const embeddingsOf = (bytes: Buffer): EmbeddingsRequest | ReadFault => {
  const body = parseJson(bytes.toString());
  if (!isObject(body)) return fault('invalid_json', 'the body must be a JSON object');
  const texts = textsOf(body['input']);
  if (texts === null) return fault('invalid_text_request', 'input must be a text or a list of texts for this channel');
  return { texts, dimensions: numberAt(body, 'dimensions'), packed: body['encoding_format'] === 'base64' };
};

const write = ({ vectors, usage }: Embedded, { packed }: EmbeddingsRequest, model: string): Buffer => {
  const tokens = countOf(usage?.prompt);
  return Buffer.from(
    JSON.stringify({
      object: 'list',
      data: vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: packed ? packVector(vector) : vector,
      })),
      model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),
  );
};

/** Reads a request for embeddings without building it. Never throws. */
export const readEmbeddings = (bytes: Buffer, { path }: RequestHead): Inbound | ReadFault => {
  const scanned = scanBody(bytes, scannedMembers);
  if (scanned.kind === 'fault') return scanned;
  const given = valueOf(bytes, scanned.members.get('model')) ?? '';
  const engine = engineOf(path);
  const namesModel = given === '' && engine !== '';
  const model = modelOf(namesModel ? engine : given);
  if (typeof model !== 'string') return model;
  const input = scanned.members.get('input');
  if (input === undefined) return fault('invalid_text_request', 'field input is required');
  return plainInbound({ bytes, scanned, model, namesModel, prompt: [input], embeddings: () => embeddingsOf(bytes) });
};

/** `POST /v1/embeddings`, and `/v1/engines/{model}/embeddings` of older clients (provider notes 19.7). */
export const openAiEmbeddings: Dialect = {
  format: 'openai-embeddings',
  headers: [],
  read: readEmbeddings,
  errors: openAiErrors,
  embeddings: write,
};
