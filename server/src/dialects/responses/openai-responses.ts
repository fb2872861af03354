import type { BodyChanges } from '../../conversation/body-changes.ts';
import { countableBody } from '../countable.ts';
import type { RequestHead, Dialect, ErrorForm, Inbound, ReadFault } from '../dialect.ts';
import { inlineImageBytes } from '../inline-images.ts';
import type { ScannedObject } from '../scan/json-scan.ts';
import { fault, isOutputLimit, modelOf, scanBody, settingOf, valueOf } from '../scan/member-scan.ts';
import { openAiErrors, withRequestId } from '../openai/openai-errors.ts';
import { namedOpening, openingOf } from '../scan/opening.ts';
import { responseAnswer } from './responses-answer.ts';
import { responsesConversation } from './responses-conversation.ts';
import { responseStream } from './responses-stream.ts';
import { type Edit, splice } from '../scan/splice.ts';

const wanted = new Set([
  'model',
  'stream',
  'max_output_tokens',
  'instructions',
  'background',
  'input',
  'prompt_cache_key',
]);

const editsOf = (scanned: ScannedObject, { model, systemPrompt, outputLimit }: BodyChanges): Edit[] => [
  ...(model === undefined ? [] : [settingOf(scanned, 'model', JSON.stringify(model))]),
  ...(systemPrompt === undefined ? [] : [settingOf(scanned, 'instructions', JSON.stringify(systemPrompt))]),
  ...(outputLimit === undefined ? [] : [settingOf(scanned, 'max_output_tokens', String(outputLimit.tokens))]),
];

/** Reads a request for a response without building it. Never throws. */
export const readResponses = (bytes: Buffer, { kept }: RequestHead): Inbound | ReadFault => {
  const scanned = scanBody(bytes, wanted);
  if (scanned.kind === 'fault') return scanned;
  const read = (name: string): unknown => valueOf(bytes, scanned.members.get(name));
  const model = modelOf(read('model'));
  if (typeof model !== 'string') return model;
  const stream = read('stream') ?? false;
  if (typeof stream !== 'boolean') return fault('invalid_text_request', 'stream must be a boolean');
  const limit = read('max_output_tokens') ?? null;
  if (!isOutputLimit(limit)) return fault('invalid_text_request', 'max_output_tokens is invalid');
  // A background response would be answered before its cost is known, and could not be fetched here.
  if ((read('background') ?? false) !== false) return fault('invalid_text_request', 'background is not supported');
  const conversation = () => responsesConversation(bytes, kept ?? (() => null));
  return {
    kind: 'inbound',
    model,
    stream,
    includeUsage: stream,
    outputLimit: limit === 0 ? null : limit,
    choices: 1,
    hasSystem: () => typeof read('instructions') === 'string',
    opening: () => namedOpening(read('prompt_cache_key')) ?? openingOf(bytes, scanned.members.get('input')),
    promptBytes: bytes.length - inlineImageBytes(bytes),
    bytes,
    edit: (changes) => splice(bytes, editsOf(scanned, changes)),
    conversation,
    countable: () => countableBody(conversation()),
  };
};

/** In a stream an error is an event of its own kind. */
const errors: ErrorForm = {
  body: openAiErrors.body,
  event: ({ message, code, type, param }, requestId) => {
    const event = { type: 'error', code: code ?? type, message: withRequestId(message, requestId), param };
    return Buffer.from(`event: error\ndata: ${JSON.stringify(event)}\n\n`);
  },
};

/** `POST /v1/responses` (provider notes 19.3). */
export const openAiResponses: Dialect = {
  format: 'openai-responses',
  headers: [],
  read: readResponses,
  errors,
  conversion: { answer: responseAnswer, stream: responseStream },
};
