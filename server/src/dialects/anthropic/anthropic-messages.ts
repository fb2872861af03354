import type { BodyChanges } from '../../conversation/body-changes.ts';
import { messageAnswer } from './anthropic-answer.ts';
import { abridgedMessages, anthropicConversation } from './anthropic-conversation.ts';
import { anthropicErrors } from './anthropic-errors.ts';
import { messageStream } from './anthropic-stream.ts';
import { countableBody } from '../countable.ts';
import type { Dialect, Inbound, ReadFault } from '../dialect.ts';
import { inlineSourceBytes } from '../inline-images.ts';
import { readGeneration } from '../scan/generation.ts';
import { firstItem, type ScannedObject } from '../scan/json-scan.ts';
import { fault, settingOf, tierOf } from '../scan/member-scan.ts';
import { openingOf } from '../scan/opening.ts';
import { type Edit, splice } from '../scan/splice.ts';
import { withMembers } from '../scan/with-members.ts';

const wanted = {
  scanned: new Set(['model', 'stream', 'max_tokens', 'messages', 'system', 'service_tier']),
  limits: ['max_tokens'],
};

const editsOf = (scanned: ScannedObject, { model, systemPrompt, outputLimit }: BodyChanges): Edit[] => [
  ...(model === undefined ? [] : [settingOf(scanned, 'model', JSON.stringify(model))]),
  ...(systemPrompt === undefined ? [] : [settingOf(scanned, 'system', JSON.stringify(systemPrompt))]),
  ...(outputLimit === undefined ? [] : [settingOf(scanned, 'max_tokens', String(outputLimit.tokens))]),
];

const edited = (bytes: Buffer, scanned: ScannedObject, changes: BodyChanges): Buffer => {
  const spliced = splice(bytes, editsOf(scanned, changes));
  return changes.members === undefined ? spliced : withMembers(spliced, changes.members);
};

/** Reads a request for a message, or for its count, without building it. Never throws. */
export const readMessages = (bytes: Buffer): Inbound | ReadFault => {
  const generation = readGeneration(bytes, wanted);
  if (generation.kind === 'fault') return generation;
  const { scanned, model, stream, outputLimit, read } = generation;
  const messages = scanned.members.get('messages');
  if (messages === undefined) return fault('invalid_text_request', 'field messages is required');
  if (bytes[messages.start] !== 0x5b) return fault('invalid_text_request', 'messages must be a list');
  if (firstItem(bytes, messages) === null)
    return fault('invalid_text_request', 'messages: at least one message is required');
  const conversation = () => anthropicConversation(bytes);
  return {
    kind: 'inbound',
    model,
    stream,
    includeUsage: stream,
    outputLimit,
    choices: 1,
    ...tierOf(read('service_tier')),
    hasSystem: () => scanned.members.has('system'),
    opening: () => openingOf(bytes, messages),
    promptBytes: bytes.length - inlineSourceBytes(bytes),
    bytes,
    edit: (changes) => edited(bytes, scanned, changes),
    conversation,
    abridged: () => abridgedMessages(bytes),
    countable: () => countableBody(conversation()),
  };
};

/** A message needs a bound, as it does at Anthropic; a count of its tokens has none. */
const readBounded = (bytes: Buffer): Inbound | ReadFault => {
  const inbound = readMessages(bytes);
  return inbound.kind === 'inbound' && inbound.outputLimit === null
    ? fault('invalid_text_request', 'max_tokens: Field required')
    : inbound;
};

/** `POST /v1/messages` (provider notes 19.5). */
export const anthropicMessages: Dialect = {
  format: 'anthropic-messages',
  headers: ['anthropic-version', 'anthropic-beta'],
  read: readBounded,
  errors: anthropicErrors,
  limitsAsInstants: true,
  conversion: { answer: messageAnswer, stream: messageStream },
};

/** `POST /v1/messages/count_tokens`. */
export const anthropicCount: Dialect = {
  format: 'anthropic-count',
  headers: anthropicMessages.headers,
  read: readMessages,
  errors: anthropicErrors,
  limitsAsInstants: true,
  count: (tokens) => JSON.stringify({ input_tokens: tokens }),
};
