import type { BodyChanges } from '../../conversation/body-changes.ts';
import { countableBody } from '../countable.ts';
import { decodeSegment } from '../scan/decode-segment.ts';
import type { RequestHead, Dialect, Inbound, ReadFault } from '../dialect.ts';
import { contentAnswer, contentFramings, contentStream } from './gemini-answer.ts';
import { geminiConversation } from './gemini-conversation.ts';
import { geminiErrors, geminiListErrors } from './gemini-errors.ts';
import { inlineBlobBytes } from '../inline-images.ts';
import { scanObject, type ScannedObject } from '../scan/json-scan.ts';
import { fault, isOutputLimit, isWhole, modelOf, scanBody, settingOf, tierOf, valueOf } from '../scan/member-scan.ts';
import { openingOf } from '../scan/opening.ts';
import { type Edit, splice } from '../scan/splice.ts';

const scannedMembers = new Set([
  'contents',
  'systemInstruction',
  'system_instruction',
  'generationConfig',
  'generation_config',
  'serviceTier',
  'service_tier',
]);
const configMembers = new Set(['maxOutputTokens', 'max_output_tokens', 'candidateCount', 'candidate_count']);

/** The model is in the path: `/v1beta/models/{model}:{method}`. */
const path = /^\/v1(?:beta)?\/models\/([^:]+):(generateContent|streamGenerateContent|countTokens)$/;

interface Config {
  /** Where it begins in the body. */
  readonly start: number;
  readonly bytes: Buffer;
  readonly scanned: ScannedObject;
}

const configOf = (bytes: Buffer, { members }: ScannedObject): Config | null => {
  const span = members.get('generationConfig') ?? members.get('generation_config');
  if (span === undefined) return null;
  const inner = bytes.subarray(span.start, span.end);
  const scanned = scanObject(inner, configMembers);
  return scanned.kind === 'object' ? { start: span.start, bytes: inner, scanned } : null;
};

const setting = (config: Config, name: string, other: string): unknown =>
  valueOf(config.bytes, config.scanned.members.get(name) ?? config.scanned.members.get(other));

const limitEdit = (scanned: ScannedObject, config: Config | null, tokens: number): Edit => {
  if (config === null) return settingOf(scanned, 'generationConfig', `{"maxOutputTokens":${tokens}}`);
  const name = config.scanned.members.has('max_output_tokens') ? 'max_output_tokens' : 'maxOutputTokens';
  const edit = settingOf(config.scanned, name, String(tokens));
  return { ...edit, start: edit.start + config.start, end: edit.end + config.start };
};

const editsOf = (scanned: ScannedObject, config: Config | null, changes: BodyChanges): Edit[] => {
  const { systemPrompt, outputLimit } = changes;
  const system = scanned.members.has('system_instruction') ? 'system_instruction' : 'systemInstruction';
  return [
    ...(systemPrompt === undefined
      ? []
      : [settingOf(scanned, system, JSON.stringify({ parts: [{ text: systemPrompt }] }))]),
    ...(outputLimit === undefined ? [] : [limitEdit(scanned, config, outputLimit.tokens)]),
  ];
};

const choicesMax = 8;

/** Reads a request for content without building it. Never throws. */
const readContent = (bytes: Buffer, head: RequestHead): Inbound | ReadFault => {
  const match = path.exec(head.path);
  const model = modelOf(decodeSegment(match?.[1] ?? ''));
  if (typeof model !== 'string') return model;
  const scanned = scanBody(bytes, scannedMembers);
  if (scanned.kind === 'fault') return scanned;
  const contents = scanned.members.get('contents');
  if (contents === undefined) return fault('invalid_text_request', 'field contents is required');
  if (bytes[contents.start] !== 0x5b) return fault('invalid_text_request', 'contents must be a list');
  const config = configOf(bytes, scanned);
  const limit = (config === null ? null : setting(config, 'maxOutputTokens', 'max_output_tokens')) ?? null;
  if (!isOutputLimit(limit)) return fault('invalid_text_request', 'maxOutputTokens is invalid');
  const choices = (config === null ? 1 : setting(config, 'candidateCount', 'candidate_count')) ?? 1;
  if (!isWhole(choices) || choices < 1 || choices > choicesMax)
    return fault('invalid_text_request', 'candidateCount is invalid');
  const conversation = () => geminiConversation(bytes);
  return {
    kind: 'inbound',
    model,
    stream: match?.[2] === 'streamGenerateContent',
    includeUsage: true,
    outputLimit: limit === 0 ? null : limit,
    choices,
    ...tierOf(valueOf(bytes, scanned.members.get('serviceTier') ?? scanned.members.get('service_tier'))),
    hasSystem: () => scanned.members.has('systemInstruction') || scanned.members.has('system_instruction'),
    opening: () => openingOf(bytes, contents),
    promptBytes: bytes.length - inlineBlobBytes(bytes),
    bytes,
    edit: (changes) => splice(bytes, editsOf(scanned, config, changes)),
    conversation,
    countable: () => countableBody(conversation()),
  };
};

/** `generateContent`, and `streamGenerateContent` as events (provider notes 19.6). */
const geminiEvents: Dialect = {
  format: 'gemini',
  headers: [],
  read: readContent,
  errors: geminiErrors,
  conversion: { answer: contentAnswer, stream: contentStream(contentFramings.sse) },
};

/** `streamGenerateContent` as one list: the default without `alt=sse`. */
const geminiList: Dialect = {
  ...geminiEvents,
  format: 'gemini-list',
  errors: geminiListErrors,
  conversion: {
    answer: contentAnswer,
    stream: contentStream(contentFramings.list),
    streamType: 'application/json; charset=utf-8',
  },
};

/** `countTokens`. */
const geminiCount: Dialect = {
  format: 'gemini-count',
  headers: [],
  read: readContent,
  errors: geminiErrors,
  count: (tokens) => JSON.stringify({ totalTokens: tokens }),
};

/** The dialect of a path below `/v1beta/models`, by its method; null: not a path of Gemini's. */
export const geminiDialect = (requestPath: string, query: string): Dialect | null => {
  const method = path.exec(requestPath)?.[2];
  if (method === undefined) return null;
  if (method === 'countTokens') return geminiCount;
  return method === 'streamGenerateContent' && !/[?&]alt=sse(?:&|$)/.test(query) ? geminiList : geminiEvents;
};
