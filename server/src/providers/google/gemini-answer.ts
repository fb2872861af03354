import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import { partEvents } from '../../conversation/answer-events.ts';
import type { AssistantPart } from '../../conversation/conversation.ts';
import { isObject, type Json, numberAt, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { badBody } from '../failure.ts';
import { reportedGeminiFailure } from './gemini-failure.ts';
import { geminiUsage } from './gemini-usage.ts';
import { jsonBody, jsonEvents, type JsonEvents } from '../json-events.ts';
import type { EventReader, ReadStep, Refusal, ProviderCall } from '../provider.ts';

const filtered = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

const finishOf = (reason: string, called: boolean): Finish => {
  if (reason === 'MAX_TOKENS') return 'length';
  if (filtered.has(reason)) return 'content_filter';
  return called ? 'tool_calls' : 'stop';
};

/** Finish reasons without a usable answer. */
const failed = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'OTHER',
  'IMAGE_OTHER',
  'NO_IMAGE',
]);

const fence = (language: string, text: string): string => `\n\`\`\`${language.toLowerCase()}\n${text}\n\`\`\`\n`;

/** The text of a part: plain text, code that the model ran, or the output of that code. */
const partText = (part: Json): string => {
  const code = part['executableCode'];
  if (isObject(code)) return fence(textAt(code, 'language'), textAt(code, 'code'));
  const result = part['codeExecutionResult'];
  return isObject(result) ? fence('', textAt(result, 'output')) : textAt(part, 'text');
};

/** Reads the parts of one answer; tool calls may lack ids. Stateful: one answer. */
class PartReader {
  calls = 0;
  private readonly requestId: string;

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  read(part: Json): AssistantPart | null {
    const call = part['functionCall'];
    if (isObject(call)) return this.call(call, textAt(part, 'thoughtSignature'));
    const data = part['inlineData'];
    if (isObject(data)) {
      const mime = textAt(data, 'mimeType');
      return mime.startsWith('image/')
        ? { kind: 'image', source: { kind: 'data', mime, base64: textAt(data, 'data') }, detail: null }
        : null;
    }
    const text = partText(part);
    if (text === '') return null;
    return part['thought'] === true ? { kind: 'reasoning', text, signature: '' } : { kind: 'text', text };
  }

  private call(call: Json, signature: string): AssistantPart {
    const id = textAt(call, 'id');
    const index = this.calls;
    this.calls += 1;
    return {
      kind: 'tool_call',
      id: id === '' ? `call_${this.requestId}_${index}` : id,
      name: textAt(call, 'name'),
      arguments: JSON.stringify(objectAt(call, 'args')),
      ...(signature !== '' && { signature }),
    };
  }
}

/** A response with the candidate of an index alone. */
export const onlyCandidate = (body: Json, index: number): Json | null => {
  const own = objectsAt(body, 'candidates').filter((candidate) => (numberAt(candidate, 'index') ?? 0) === index);
  if (index === 0) return { ...body, candidates: own };
  const { usageMetadata: _, ...others } = body;
  return own.length === 0 ? null : { ...others, candidates: own };
};

const candidateOf = (body: Json): Json => objectsAt(body, 'candidates')[0] ?? {};

const partsOf = (candidate: Json, reader: PartReader): readonly AssistantPart[] =>
  objectsAt(objectAt(candidate, 'content'), 'parts')
    .map((part) => reader.read(part))
    .filter((part) => part !== null);

/** Joins neighbouring pieces of one text. */
const joined = (parts: readonly AssistantPart[]): readonly AssistantPart[] => {
  const whole: AssistantPart[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if ((part.kind === 'text' && last?.kind === 'text') || (part.kind === 'reasoning' && last?.kind === 'reasoning')) {
      whole[whole.length - 1] = { ...last, text: last.text + part.text };
    } else whole.push(part);
  }
  return whole;
};

const emptyAnswer = (reason: string): Refusal => ({
  kind: 'refusal',
  failure: badBody(`the upstream response is empty (${reason})`),
});

const usageIn = (body: Json) => {
  const usage = body['usageMetadata'];
  return isObject(usage) ? geminiUsage(usage) : null;
};

/** Reads a whole answer of `generateContent`. */
export const geminiAnswer = (body: Buffer, call: ProviderCall): Answer | Refusal => {
  const read = jsonBody(body, reportedGeminiFailure);
  if (read.kind === 'refusal') return read;
  const parsed = read.members;
  const candidate = candidateOf(parsed);
  const reason = textAt(candidate, 'finishReason');
  const reader = new PartReader(call.requestId);
  const parts = joined(partsOf(candidate, reader));
  if (reason === '' && parts.length === 0) return emptyAnswer('no candidates');
  if (parts.length === 0 && failed.has(reason)) return emptyAnswer(reason);
  return {
    id: textAt(parsed, 'responseId'),
    parts,
    finish: finishOf(reason, reader.calls > 0),
    usage: usageIn(parsed),
  };
};

/** Stateful: one answer, from its first event to its last. */
class AnswerReader implements JsonEvents {
  readonly failureIn = reportedGeminiFailure;
  private started = false;
  private isFinished = false;
  private isEmpty = true;
  private readonly parts: PartReader;

  constructor(requestId: string) {
    this.parts = new PartReader(requestId);
  }

  finished(): boolean {
    return this.isFinished;
  }

  read(body: Json): ReadStep {
    const candidate = candidateOf(body);
    const events: StreamEvent[] = this.started ? [] : [{ kind: 'start', id: textAt(body, 'responseId') }];
    this.started = true;
    for (const part of objectsAt(objectAt(candidate, 'content'), 'parts')) {
      const index = this.parts.calls;
      const read = this.parts.read(part);
      if (read !== null) events.push(...partEvents(read, index));
      this.isEmpty &&= read === null;
    }
    const usage = usageIn(body);
    if (usage !== null) events.push({ kind: 'usage', usage });
    const reason = textAt(candidate, 'finishReason');
    if (reason === '' || this.isFinished) return { events };
    if (this.isEmpty && failed.has(reason)) return { events, failure: emptyAnswer(reason).failure };
    this.isFinished = true;
    return { events: [...events, { kind: 'finish', finish: finishOf(reason, this.parts.calls > 0) }] };
  }
}

/** Reads the events of `streamGenerateContent`: the connection closes after a finish reason. */
export const geminiEvents = ({ requestId }: ProviderCall): EventReader => jsonEvents(new AnswerReader(requestId));
