import type { BodyChanges } from '../../conversation/body-changes.ts';
import type { Dialect, Inbound, ReadFault } from '../dialect.ts';
import { inlineImageBytes } from '../inline-images.ts';
import { firstItem, scanObject, type ScannedObject, type Span } from '../scan/json-scan.ts';
import { readGeneration } from '../scan/generation.ts';
import { fault, isChoices, settingOf, tierOf, valueOf } from '../scan/member-scan.ts';
import { chatConversion } from './openai-chat-answer.ts';
import { abridgedChat, chatConversation } from './openai-chat-conversation.ts';
import { openAiErrors } from './openai-errors.ts';
import { namedOpening, openingOf } from '../scan/opening.ts';
import { type Edit, splice } from '../scan/splice.ts';
import { asksUsage, usageEdit } from './stream-options.ts';

const wanted = {
  scanned: new Set([
    'model',
    'stream',
    'stream_options',
    'max_tokens',
    'max_completion_tokens',
    'n',
    'messages',
    'prompt_cache_key',
    'service_tier',
  ]),
  limits: ['max_tokens', 'max_completion_tokens'],
};
const messageMembers = new Set(['role', 'content']);

/** Reads a chat completion request without building it. Never throws. */
export const readChat = (bytes: Buffer): Inbound | ReadFault => {
  const generation = readGeneration(bytes, wanted);
  if (generation.kind === 'fault') return generation;
  const { scanned, model, stream, outputLimit, read } = generation;
  const choices = read('n') ?? 1;
  if (!isChoices(choices)) return fault('invalid_text_request', 'n is invalid');
  const messages = scanned.members.get('messages');
  if (messages === undefined) return fault('invalid_text_request', 'field messages is required');
  if (bytes[messages.start] !== 0x5b) return fault('invalid_text_request', 'messages must be a list');

  const options = scanned.members.get('stream_options');
  return {
    kind: 'inbound',
    model,
    stream,
    includeUsage: stream && asksUsage(bytes, options),
    outputLimit,
    choices,
    ...tierOf(read('service_tier')),
    hasSystem: () => systemContent(bytes, messages) !== null,
    opening: () => namedOpening(read('prompt_cache_key')) ?? openingOf(bytes, messages),
    promptBytes: bytes.length - inlineImageBytes(bytes),
    bytes,
    conversation: () => chatConversation(bytes),
    abridged: () => abridgedChat(bytes),
    countable: () => bytes,
    edit: (changes) => splice(bytes, editsOf(bytes, scanned, changes)),
  };
};

const editsOf = (bytes: Buffer, scanned: ScannedObject, changes: BodyChanges): Edit[] => {
  const edits: Edit[] = [];
  const set = (name: string, text: string) => edits.push(settingOf(scanned, name, text));
  if (changes.model !== undefined) set('model', JSON.stringify(changes.model));
  if (changes.includeUsage === true) edits.push(usageEdit(bytes, scanned));
  const messages = scanned.members.get('messages');
  if (changes.systemPrompt !== undefined && messages !== undefined) {
    edits.push(systemEdit(bytes, messages, JSON.stringify(changes.systemPrompt)));
  }
  if (changes.outputLimit !== undefined) {
    const { tokens, member } = changes.outputLimit;
    const given = ['max_tokens', 'max_completion_tokens'].filter((name) => scanned.members.has(name));
    for (const name of given.length === 0 ? [member] : given) set(name, String(tokens));
  }
  return edits;
};

/** The span of the first message's content, when it is a system message that has one. */
const systemContent = (bytes: Buffer, messages: Span): Span | null => {
  const item = firstItem(bytes, messages);
  if (item === null) return null;
  const message = bytes.subarray(item.start, item.end);
  const scanned = scanObject(message, messageMembers);
  if (scanned.kind !== 'object' || valueOf(message, scanned.members.get('role')) !== 'system') return null;
  const content = scanned.members.get('content');
  return content === undefined ? null : { start: item.start + content.start, end: item.start + content.end };
};

const systemEdit = (bytes: Buffer, messages: Span, text: string): Edit => {
  const content = systemContent(bytes, messages);
  if (content !== null) return { ...content, text };
  const start = messages.start + 1;
  const comma = firstItem(bytes, messages) === null ? '' : ',';
  return { start, end: start, text: `{"role":"system","content":${text}}${comma}` };
};

/** `POST /v1/chat/completions` (provider notes 19.1). */
export const openAiChat: Dialect = {
  format: 'openai-chat',
  headers: [],
  read: readChat,
  errors: openAiErrors,
  conversion: chatConversion,
};
