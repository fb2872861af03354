import type { BodyChanges } from '../../conversation/body-changes.ts';
import { parseJson } from '../../conversation/json.ts';
import { completionsConversion } from './completions-answer.ts';
import { completionsConversation } from './completions-conversation.ts';
import type { Dialect, Inbound, ReadFault } from '../dialect.ts';
import type { ScannedObject, Span } from '../scan/json-scan.ts';
import { readGeneration } from '../scan/generation.ts';
import { fault, isChoices, settingOf } from '../scan/member-scan.ts';
import { openAiErrors } from './openai-errors.ts';
import { countablePrompt } from '../plain-inbound.ts';
import { type Edit, splice } from '../scan/splice.ts';
import { asksUsage, usageEdit } from './stream-options.ts';

const wanted = {
  scanned: new Set(['model', 'stream', 'stream_options', 'max_tokens', 'n', 'best_of', 'prompt']),
  limits: ['max_tokens'],
};

/** A list of texts or of token lists is as many prompts; a list of tokens is one. */
const promptsIn = (bytes: Buffer, span: Span | undefined): number => {
  if (span === undefined || bytes[span.start] !== 0x5b) return 1;
  const prompts = parseJson(bytes.toString('utf8', span.start, span.end));
  return Array.isArray(prompts) && prompts.length > 0 && typeof prompts[0] !== 'number' ? prompts.length : 1;
};

const editsOf = (bytes: Buffer, scanned: ScannedObject, changes: BodyChanges): Edit[] => [
  ...(changes.model === undefined ? [] : [settingOf(scanned, 'model', JSON.stringify(changes.model))]),
  ...(changes.includeUsage === true ? [usageEdit(bytes, scanned)] : []),
  ...(changes.outputLimit === undefined ? [] : [settingOf(scanned, 'max_tokens', String(changes.outputLimit.tokens))]),
];

/** Reads a request for a completion without building it. Never throws. */
export const readCompletions = (bytes: Buffer): Inbound | ReadFault => {
  const generation = readGeneration(bytes, wanted);
  if (generation.kind === 'fault') return generation;
  const { scanned, model, stream, outputLimit, read } = generation;
  const choices = read('n') ?? 1;
  const best = read('best_of') ?? 1;
  if (!isChoices(choices)) return fault('invalid_text_request', 'n is invalid');
  if (!isChoices(best)) return fault('invalid_text_request', 'best_of is invalid');
  if (read('prompt') === '') return fault('invalid_text_request', 'field prompt is required');
  const prompt = scanned.members.get('prompt');
  return {
    kind: 'inbound',
    model,
    stream,
    includeUsage: stream && asksUsage(bytes, scanned.members.get('stream_options')),
    outputLimit,
    // Each prompt is completed so often, and what is not shown costs as well.
    choices: promptsIn(bytes, prompt) * Math.max(choices, best),
    hasSystem: () => false,
    promptBytes: bytes.length,
    bytes,
    edit: (changes) => splice(bytes, editsOf(bytes, scanned, changes)),
    conversation: () => completionsConversation(bytes),
    countable: () => countablePrompt(bytes, [prompt]),
  };
};

/** `POST /v1/completions` (provider notes 19.2). */
export const openAiCompletions: Dialect = {
  format: 'openai-completions',
  headers: [],
  read: readCompletions,
  errors: openAiErrors,
  conversion: completionsConversion,
};
