import type { Dialect, Inbound, ReadFault } from '../dialect.ts';
import { fault, modelOf, scanBody, valueOf } from '../scan/member-scan.ts';
import { openAiErrors } from './openai-errors.ts';
import { plainInbound } from '../plain-inbound.ts';

const scannedMembers = new Set(['model', 'query', 'documents']);

/** Reads a request to rank documents without building it. Never throws. */
export const readRerank = (bytes: Buffer): Inbound | ReadFault => {
  const scanned = scanBody(bytes, scannedMembers);
  if (scanned.kind === 'fault') return scanned;
  const model = modelOf(valueOf(bytes, scanned.members.get('model')));
  if (typeof model !== 'string') return model;
  const query = scanned.members.get('query');
  const queryValue = valueOf(bytes, query);
  if (queryValue === undefined || queryValue === '') return fault('invalid_text_request', 'field query is required');
  const documents = scanned.members.get('documents');
  if (documents === undefined || bytes[documents.start] !== 0x5b)
    return fault('invalid_text_request', 'field documents must be a list');
  return plainInbound({ bytes, scanned, model, prompt: [query, documents] });
};

/** `POST /v1/rerank` in the form that Cohere, Jina and others share (provider notes 19.11). */
export const rerank: Dialect = { format: 'rerank', headers: [], read: readRerank, errors: openAiErrors };
