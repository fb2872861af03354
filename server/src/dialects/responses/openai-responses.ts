import type { BodyChanges } from '../../conversation/body-changes.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { isObject, parseJson, textAt } from '../../conversation/json.ts';
import { countableBody } from '../countable.ts';
import type { RequestHead, Dialect, ErrorForm, Inbound, ReadFault, StateReference } from '../dialect.ts';
import { countablePrompt } from '../plain-inbound.ts';
import { inlineImageBytes } from '../inline-images.ts';
import type { ScannedObject, Span } from '../scan/json-scan.ts';
import { readGeneration } from '../scan/generation.ts';
import { fault, settingOf, tierOf, valueOf } from '../scan/member-scan.ts';
import { openAiErrors, withRequestId } from '../openai/openai-errors.ts';
import { namedOpening, openingOf } from '../scan/opening.ts';
import { responseAnswer } from './responses-answer.ts';
import { responsesConversation } from './responses-conversation.ts';
import { isReference } from './responses-items.ts';
import { responseStream } from './responses-stream.ts';
import { type Edit, splice } from '../scan/splice.ts';

const wanted = {
  scanned: new Set([
    'model',
    'stream',
    'max_output_tokens',
    'instructions',
    'background',
    'input',
    'prompt_cache_key',
    'service_tier',
    'previous_response_id',
    'conversation',
    'prompt',
  ]),
  limits: ['max_output_tokens'],
};

const idOf = (value: unknown): string =>
  isObject(value) ? textAt(value, 'id') : typeof value === 'string' ? value : '';

/** A member as JSON; undefined: it is absent. */
const parsedAt = (bytes: Buffer, span: Span | undefined): unknown =>
  span === undefined ? undefined : parseJson(bytes.toString('utf8', span.start, span.end));

const idMember = Buffer.from('"id"');

/** Items of the input that stand for earlier ones. */
const itemIds = (bytes: Buffer, input: Span | undefined): readonly string[] => {
  if (input === undefined || !bytes.subarray(input.start, input.end).includes(idMember)) return [];
  const items = parsedAt(bytes, input);
  return Array.isArray(items)
    ? items
        .filter(isObject)
        .filter(isReference)
        .map((item) => textAt(item, 'id'))
    : [];
};

/** Duplicates of one name are refused by the scan, so that the upstream reads the same. */
const referencesOf = (bytes: Buffer, { members }: ScannedObject): readonly StateReference[] => {
  const named = [
    { kind: 'response' as const, id: idOf(valueOf(bytes, members.get('previous_response_id'))) },
    { kind: 'conversation' as const, id: idOf(parsedAt(bytes, members.get('conversation'))) },
    { kind: 'prompt' as const, id: idOf(parsedAt(bytes, members.get('prompt'))) },
    ...itemIds(bytes, members.get('input')).map((id) => ({ kind: 'item' as const, id })),
  ];
  return named.filter(({ id }) => id !== '');
};

/** The texts of a request whose conversation is not known here as a whole. */
const countable = (bytes: Buffer, { members }: ScannedObject, conversation: Conversation | ReadFault): Buffer =>
  'kind' in conversation
    ? countablePrompt(bytes, [members.get('instructions'), members.get('input')])
    : countableBody(conversation);

const editsOf = (scanned: ScannedObject, { model, systemPrompt, outputLimit }: BodyChanges): Edit[] => [
  ...(model === undefined ? [] : [settingOf(scanned, 'model', JSON.stringify(model))]),
  ...(systemPrompt === undefined ? [] : [settingOf(scanned, 'instructions', JSON.stringify(systemPrompt))]),
  ...(outputLimit === undefined ? [] : [settingOf(scanned, 'max_output_tokens', String(outputLimit.tokens))]),
];

/** Reads a request for a response without building it. Never throws. */
export const readResponses = (bytes: Buffer, { kept }: RequestHead): Inbound | ReadFault => {
  const generation = readGeneration(bytes, wanted);
  if (generation.kind === 'fault') return generation;
  const { scanned, model, stream, outputLimit, read } = generation;
  // A background response would be answered before its cost is known, and could not be fetched here.
  if ((read('background') ?? false) !== false) return fault('invalid_text_request', 'background is not supported');
  const conversation = () => responsesConversation(bytes, kept ?? (() => null));
  return {
    kind: 'inbound',
    model,
    stream,
    includeUsage: stream,
    outputLimit,
    choices: 1,
    ...tierOf(read('service_tier')),
    hasSystem: () => typeof read('instructions') === 'string',
    opening: () => namedOpening(read('prompt_cache_key')) ?? openingOf(bytes, scanned.members.get('input')),
    promptBytes: bytes.length - inlineImageBytes(bytes),
    bytes,
    edit: (changes) => splice(bytes, editsOf(scanned, changes)),
    conversation,
    references: () => referencesOf(bytes, scanned),
    countable: () => countable(bytes, scanned, conversation()),
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
