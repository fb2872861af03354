import type { Asked, Dialect, Inbound, ReadFault } from './dialect.ts';
import { fault, modelOf, scanBody, valueOf } from './member-scan.ts';
import { openAiErrors } from './openai-errors.ts';
import { plainInbound } from './plain-inbound.ts';

const wanted = new Set(['model', 'input']);

const enginePath = /^\/v1\/engines\/([^/]+)\/embeddings$/;

/** The model that an older path names; empty: the path names none. */
export const engineOf = (path: string): string => {
  const [, engine = ''] = enginePath.exec(path) ?? [];
  try {
    return decodeURIComponent(engine);
  } catch {
    return engine;
  }
};

/** Reads a request for embeddings without building it. Never throws. */
export const readEmbeddings = (bytes: Buffer, { path }: Asked): Inbound | ReadFault => {
  const scanned = scanBody(bytes, wanted);
  if (scanned.kind === 'fault') return scanned;
  const given = valueOf(bytes, scanned.members.get('model')) ?? '';
  const engine = engineOf(path);
  const namesModel = given === '' && engine !== '';
  const model = modelOf(namesModel ? engine : given);
  if (typeof model !== 'string') return model;
  const input = scanned.members.get('input');
  if (input === undefined) return fault('invalid_text_request', 'field input is required');
  return plainInbound({ bytes, scanned, model, namesModel, prompt: [input] });
};

/** `POST /v1/embeddings`, and `/v1/engines/{model}/embeddings` of older clients (provider notes 19.7). */
export const openAiEmbeddings: Dialect = {
  format: 'openai-embeddings',
  headers: [],
  read: readEmbeddings,
  errors: openAiErrors,
};
