import type { Answer } from '../../conversation/answer.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { isObject, type Json, numberAt, parseJson, textAt } from '../../conversation/json.ts';
import { textsOf } from '../../conversation/text.ts';
import type { AnswerFacts, Dialect, Inbound, ReadFault } from '../dialect.ts';
import { plainInbound } from '../plain-inbound.ts';
import { fault, modelOf, scanBody, valueOf } from '../scan/member-scan.ts';
import { completionsConversion } from './completions-answer.ts';
import { usageObject } from './openai-chat-answer.ts';
import { openAiErrors } from './openai-errors.ts';

const scannedMembers = new Set(['model', 'input', 'instruction', 'n']);

const systemOf = (instruction: string): string =>
  `Apply this instruction to the user's text and answer with the resulting text alone: ${instruction}`;

/** Vendors have no edits any more: the text is a user message, the instruction a system message. */
const build = (body: Json): Conversation => {
  const input = textAt(body, 'input');
  const instruction = textAt(body, 'instruction');
  return {
    system: input === '' ? [] : [{ kind: 'text', text: systemOf(instruction) }],
    turns: [{ role: 'user', parts: [{ kind: 'text', text: input || instruction }] }],
    tools: [],
    toolChoice: null,
    parallelTools: null,
    outputLimit: null,
    temperature: numberAt(body, 'temperature'),
    topP: numberAt(body, 'top_p'),
    topK: null,
    seed: null,
    presencePenalty: null,
    frequencyPenalty: null,
    stop: [],
    answerFormat: { kind: 'text' },
    reasoning: null,
    user: null,
    members: {},
  };
};

const conversationOf = (bytes: Buffer): Conversation | ReadFault => {
  const body = parseJson(bytes.toString());
  return isObject(body) ? build(body) : fault('invalid_json', 'the body must be a JSON object');
};

/** Reads a request for an edit without building it. Never throws. */
export const readEdit = (bytes: Buffer): Inbound | ReadFault => {
  const scanned = scanBody(bytes, scannedMembers);
  if (scanned.kind === 'fault') return scanned;
  const read = (name: string): unknown => valueOf(bytes, scanned.members.get(name)) ?? '';
  const model = modelOf(read('model'));
  if (typeof model !== 'string') return model;
  const [input, instruction] = [read('input'), read('instruction')];
  if (typeof instruction !== 'string' || instruction === '')
    return fault('invalid_text_request', 'field instruction is required');
  if (typeof input !== 'string') return fault('invalid_text_request', 'input must be a string');
  if (read('n') !== '' && read('n') !== 1) return fault('invalid_text_request', 'n must be 1');
  const prompt = [scanned.members.get('input'), scanned.members.get('instruction')];
  return {
    ...plainInbound({ bytes, scanned, model, prompt }),
    outputLimit: null,
    conversation: () => conversationOf(bytes),
  };
};

const answer = ({ parts, usage }: Answer, { created }: AnswerFacts): Buffer => {
  const text = textsOf(parts, 'text') + textsOf(parts, 'refusal');
  const usageMember = usage === null ? {} : { usage: usageObject(usage) };
  return Buffer.from(JSON.stringify({ object: 'edit', created, choices: [{ text, index: 0 }], ...usageMember }));
};

/** `POST /v1/edits`, from before the chat endpoint (wire contract 3.4). It never streams. */
export const openAiEdits: Dialect = {
  format: 'openai-edits',
  headers: [],
  read: readEdit,
  errors: openAiErrors,
  conversion: { ...completionsConversion, answer },
};
