import type {
  AnswerFormat,
  AssistantPart,
  Conversation,
  Effort,
  Reasoning,
  Source,
  TextPart,
  Tool,
  ToolChoice,
  Turn,
  UserPart,
} from '../../conversation/conversation.ts';
import { parseExact, withNumbersOf } from '../../conversation/exact-numbers.ts';
import { isObject, type Json } from '../../conversation/json.ts';
import type { ReadFault } from '../dialect.ts';
import { readingFaults, UnreadableError } from '../read-fault.ts';

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A member under either of the two names that Google's JSON has for it. */
const member = (value: Json, name: string): unknown => value[name] ?? value[snake(name)];

const textOf = (value: Json, name: string): string => {
  const text = member(value, name);
  return typeof text === 'string' ? text : '';
};
const numberOf = (value: Json, name: string): number | null => {
  const number = member(value, name);
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};
const objectOf = (value: Json, name: string): Json => {
  const object = member(value, name);
  return isObject(object) ? object : {};
};
const objectsOf = (value: Json, name: string): readonly Json[] => {
  const list = member(value, name);
  return Array.isArray(list) ? list.filter(isObject) : [];
};

const mediaOf = (part: Json): { readonly mime: string; readonly source: Source } | null => {
  const inline = objectOf(part, 'inlineData');
  const mime = textOf(inline, 'mimeType');
  if (mime !== '') return { mime, source: { kind: 'data', mime, base64: textOf(inline, 'data') } };
  const file = objectOf(part, 'fileData');
  const url = textOf(file, 'fileUri');
  return url === '' ? null : { mime: textOf(file, 'mimeType'), source: { kind: 'url', url } };
};

const audioFormat = (mime: string): string => (/mpeg|mp3/.test(mime) ? 'mp3' : mime.slice('audio/'.length));

const contentPart = (part: Json): UserPart => {
  if (typeof part['text'] === 'string') return { kind: 'text', text: part['text'] };
  const media = mediaOf(part);
  if (media === null)
    throw new UnreadableError(`parts with ${Object.keys(part).join(', ')} are not supported by this channel`);
  const { mime, source } = media;
  if (mime.startsWith('audio/') && source.kind === 'data')
    return { kind: 'audio', format: audioFormat(mime), base64: source.base64 };
  if (mime === '' || mime.startsWith('image/')) return { kind: 'image', source, detail: null };
  return { kind: 'file', name: '', source };
};

/** Calls that have no result yet, in their order: results name their call by its id, or only by its function. */
type Open = { readonly id: string; readonly name: string }[];

const callPart = (part: Json, call: Json, open: Open): AssistantPart => {
  const name = textOf(call, 'name');
  const id = textOf(call, 'id') || `call_${name}_${open.length}`;
  open.push({ id, name });
  const signature = textOf(part, 'thoughtSignature');
  const given = JSON.stringify(objectOf(call, 'args'));
  return { kind: 'tool_call', id, name, arguments: given, ...(signature !== '' && { signature }) };
};

const modelPart = (part: Json, open: Open): readonly AssistantPart[] => {
  const call = member(part, 'functionCall');
  if (isObject(call)) return [callPart(part, call, open)];
  const { text } = part;
  if (typeof text === 'string')
    return [part['thought'] === true ? { kind: 'reasoning', text, signature: '' } : { kind: 'text', text }];
  const media = mediaOf(part);
  return media?.mime.startsWith('image/') ? [{ kind: 'image', source: media.source, detail: null }] : [];
};

const resultTurn = (result: Json, open: Open): Turn => {
  const name = textOf(result, 'name');
  const id = textOf(result, 'id');
  const index = open.findIndex((call) => (id === '' ? call.name === name : call.id === id));
  const [call] = index < 0 ? [] : open.splice(index, 1);
  const response = objectOf(result, 'response');
  const plain = Object.keys(response).length === 1 ? (response['result'] ?? response['output']) : undefined;
  const text = typeof plain === 'string' ? plain : JSON.stringify(response);
  const isError = 'error' in response && Object.keys(response).length === 1;
  return { role: 'tool', callId: call?.id ?? id, name, parts: [{ kind: 'text', text }], isError };
};

const userTurns = (parts: readonly Json[], open: Open): readonly Turn[] => {
  const turns: Turn[] = [];
  const said: UserPart[] = [];
  for (const part of parts) {
    const result = member(part, 'functionResponse');
    if (isObject(result)) turns.push(resultTurn(result, open));
    else said.push(contentPart(part));
  }
  return said.length === 0 ? turns : [...turns, { role: 'user', parts: said }];
};

const turnsOf = (body: Json): readonly Turn[] => {
  const { contents } = body;
  if (!Array.isArray(contents)) throw new UnreadableError('contents must be a list');
  const open: Open = [];
  return contents.flatMap((content: unknown): readonly Turn[] => {
    if (!isObject(content)) throw new UnreadableError('every content must be an object');
    const parts = objectsOf(content, 'parts');
    if (content['role'] !== 'model') return userTurns(parts, open);
    return [{ role: 'assistant', parts: parts.flatMap((part) => modelPart(part, open)) }];
  });
};

/** The vendor writes its types in capitals, JSON Schema does not. */
const schemaOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return withNumbersOf(value, value.map(schemaOf));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, inner]) =>
      [name, name === 'type' && typeof inner === 'string' ? inner.toLowerCase() : schemaOf(inner)] as const,
  );
  return withNumbersOf(value, Object.fromEntries(members));
};

const asSchema = (value: unknown): Json | null => {
  const schema = schemaOf(value);
  return isObject(schema) ? schema : null;
};

const toolsOf = (body: Json): readonly Tool[] =>
  objectsOf(body, 'tools').flatMap((tool) => {
    const foreign = Object.keys(tool).find(
      (name) => name !== 'functionDeclarations' && name !== snake('functionDeclarations'),
    );
    if (foreign !== undefined) throw new UnreadableError(`the tool ${foreign} is not supported by this channel`);
    return objectsOf(tool, 'functionDeclarations').map((declared) => ({
      name: textOf(declared, 'name'),
      description: textOf(declared, 'description'),
      parameters: asSchema(member(declared, 'parametersJsonSchema') ?? declared['parameters']),
      strict: null,
    }));
  });

const toolChoiceOf = (body: Json): ToolChoice | null => {
  const config = objectOf(objectOf(body, 'toolConfig'), 'functionCallingConfig');
  const names = member(config, 'allowedFunctionNames');
  const allowed: readonly unknown[] = Array.isArray(names) ? names : [];
  const [only, ...more] = allowed;
  switch (textOf(config, 'mode').toUpperCase()) {
    case 'AUTO':
      return { kind: 'auto' };
    case 'NONE':
      return { kind: 'none' };
    case 'ANY':
      return typeof only === 'string' && more.length === 0 ? { kind: 'tool', name: only } : { kind: 'required' };
    default:
      return null;
  }
};

const efforts = new Map<string, Effort>([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
]);

const reasoningOf = (config: Json): Reasoning | null => {
  const thinking = member(config, 'thinkingConfig');
  if (!isObject(thinking)) return null;
  const budget = numberOf(thinking, 'thinkingBudget');
  const effort = efforts.get(textOf(thinking, 'thinkingLevel').toUpperCase()) ?? null;
  const visible = member(thinking, 'includeThoughts') === true;
  if (budget === 0) return { effort: 'none', budget: null, visible };
  return { effort, budget: budget === null || budget < 0 ? null : budget, visible };
};

const formatOf = (config: Json): AnswerFormat => {
  if (textOf(config, 'responseMimeType') !== 'application/json') return { kind: 'text' };
  const schema = asSchema(member(config, 'responseJsonSchema') ?? member(config, 'responseSchema'));
  if (schema === null) return { kind: 'json' };
  // Other vendors hold answers strictly only to schemas that leave nothing open.
  const strict = schema['additionalProperties'] === false ? true : null;
  return { kind: 'schema', name: 'answer', description: '', schema, strict };
};

const systemOf = (body: Json): readonly TextPart[] => {
  const system = member(body, 'systemInstruction');
  if (typeof system === 'string') return [{ kind: 'text', text: system }];
  if (!isObject(system)) return [];
  return objectsOf(system, 'parts').map((part) => ({ kind: 'text', text: textOf(part, 'text') }));
};

const build = (body: Json): Conversation => {
  const config = objectOf(body, 'generationConfig');
  const stop = member(config, 'stopSequences');
  return {
    system: systemOf(body),
    turns: turnsOf(body),
    tools: toolsOf(body),
    toolChoice: toolChoiceOf(body),
    parallelTools: null,
    outputLimit: numberOf(config, 'maxOutputTokens'),
    temperature: numberOf(config, 'temperature'),
    topP: numberOf(config, 'topP'),
    topK: numberOf(config, 'topK'),
    seed: numberOf(config, 'seed'),
    presencePenalty: numberOf(config, 'presencePenalty'),
    frequencyPenalty: numberOf(config, 'frequencyPenalty'),
    stop: Array.isArray(stop) ? stop.filter((text) => typeof text === 'string') : [],
    answerFormat: formatOf(config),
    reasoning: reasoningOf(config),
    user: null,
    members: body,
  };
};

/** A request for content in neutral form (provider notes 19.6). */
export const geminiConversation = (bytes: Buffer): Conversation | ReadFault => {
  const body = parseExact(bytes.toString());
  if (!isObject(body)) return { kind: 'fault', code: 'invalid_json', message: 'the body must be a JSON object' };
  return readingFaults(() => build(body));
};
