import type { Dialect, Inbound, ReadFault } from '../dialect.ts';
import { fault, modelOf, scanBody, valueOf } from '../scan/member-scan.ts';
import { openAiErrors } from './openai-errors.ts';
import { plainInbound } from '../plain-inbound.ts';

const scannedMembers = new Set(['model', 'input']);

/**
 * The model that selects channel and price of a request without a model; the vendor chooses its own (wire contract
 * 3.1).
 */
const defaultModel = 'text-moderation-stable';

/** Reads a request for a moderation without building it. Never throws. */
export const readModeration = (bytes: Buffer): Inbound | ReadFault => {
  const scanned = scanBody(bytes, scannedMembers);
  if (scanned.kind === 'fault') return scanned;
  const given = valueOf(bytes, scanned.members.get('model')) ?? '';
  const model = modelOf(given === '' ? defaultModel : given);
  if (typeof model !== 'string') return model;
  const input = scanned.members.get('input');
  if (input === undefined || valueOf(bytes, input) === '')
    return fault('invalid_text_request', 'field input is required');
  return plainInbound({ bytes, scanned, model, prompt: [input] });
};

/** `POST /v1/moderations` (provider notes 19.10). */
export const openAiModerations: Dialect = {
  format: 'openai-moderations',
  headers: [],
  read: readModeration,
  errors: openAiErrors,
};
