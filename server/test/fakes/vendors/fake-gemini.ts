import type { Made, UpstreamForm } from '../fake-upstream.ts';
import {
  type ParsedRequest,
  type ChatFault,
  checkHeaders,
  type CheckInput,
  fault,
  parse,
} from '../fake-upstream-check.ts';
import { isJson, type Json } from '../../parsing/json.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const unknownIn = (value: Json, known: readonly string[], at: string): string | undefined => {
  const name = Object.keys(value).find((member) => !known.includes(member));
  return name === undefined
    ? undefined
    : `Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`;
};

const partKinds = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'];

const partFault = (part: unknown): string | undefined => {
  if (!isJson(part)) return 'parts must be objects';
  const unknown = unknownIn(part, [...partKinds, 'thought', 'thoughtSignature'], 'contents.parts');
  if (unknown !== undefined) return unknown;
  if (partKinds.filter((kind) => kind in part).length !== 1) return 'a part must have exactly one kind of data';
  const { inlineData, functionCall, functionResponse, text } = part;
  if (text === '') return 'a part must not be empty';
  if (isJson(inlineData) && !/^[A-Za-z0-9+/]+=*$/.test(String(inlineData['data'])))
    return 'Base64 decoding failed for inline_data';
  if (isJson(functionCall) && !isJson(functionCall['args'])) return 'functionCall.args must be an object';
  if (isJson(functionResponse) && !isJson(functionResponse['response']))
    return 'functionResponse.response must be an object';
  return undefined;
};

const count = (parts: readonly unknown[], kind: string): number =>
  parts.filter((part) => isJson(part) && kind in part).length;

/** Models of the third generation refuse calls in the history that lost their signature. */
const signatureFault = (parts: readonly unknown[], model: string): string | undefined => {
  if (!/gemini-3/.test(model)) return undefined;
  const first = parts.find((part) => isJson(part) && 'functionCall' in part);
  return first === undefined || (isJson(first) && typeof first['thoughtSignature'] === 'string')
    ? undefined
    : 'Function call is missing a thought_signature in functionCall parts.';
};

interface Read {
  readonly texts: readonly string[];
}

const readContents = (contents: unknown, model: string): Read | ChatFault => {
  if (!Array.isArray(contents) || contents.length === 0)
    return fault('* GenerateContentRequest.contents: contents is not specified');
  const texts: string[] = [];
  let calls = 0;
  for (const content of contents) {
    if (!isJson(content) || (content['role'] !== 'user' && content['role'] !== 'model'))
      return fault('Please use a valid role: user, model.');
    const parts = listOf(content['parts']);
    if (parts.length === 0) return fault('* GenerateContentRequest.contents.parts: contents.parts must not be empty.');
    const wrong = parts.map(partFault).find((text) => text !== undefined) ?? signatureFault(parts, model);
    if (wrong !== undefined) return fault(wrong);
    if (calls > 0 && count(parts, 'functionResponse') !== calls)
      return fault(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    calls = count(parts, 'functionCall');
    for (const part of parts) if (isJson(part) && typeof part['text'] === 'string') texts.push(part['text']);
  }
  return { texts };
};

const bodyMembers = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'generationConfig',
  'serviceTier',
  'cachedContent',
];
const configMembers = [
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'thinkingConfig',
];

/** What OpenAPI's subset of a schema does not have. */
const foreignSchema = /"(?:\$ref|\$defs|\$schema|additionalProperties|patternProperties)"/;

const toolFault = (tool: unknown): string | undefined => {
  if (!isJson(tool)) return 'tools must be objects';
  return listOf(tool['functionDeclarations'])
    .map((declared) => {
      if (!isJson(declared) || !/^[A-Za-z_][\w.:-]{0,63}$/.test(String(declared['name'])))
        return 'Invalid function name.';
      return foreignSchema.test(JSON.stringify(declared['parameters'] ?? {}))
        ? 'Unknown name in function_declarations.parameters'
        : undefined;
    })
    .find((text) => text !== undefined);
};

const bodyFault = (body: Json): string | undefined => {
  const config = isJson(body['generationConfig']) ? body['generationConfig'] : {};
  return (
    unknownIn(body, bodyMembers, '') ??
    unknownIn(config, configMembers, 'generation_config') ??
    (listOf(config['stopSequences']).length > 5 ? 'at most 5 stop sequences' : undefined) ??
    listOf(body['tools'])
      .map(toolFault)
      .find((text) => text !== undefined)
  );
};

const address = /\/models\/([^:/]+):(generateContent|streamGenerateContent)(\?alt=sse)?$/;

const check = (input: CheckInput): ParsedRequest | ChatFault => {
  const wrongHeaders = checkHeaders(input);
  if (wrongHeaders !== undefined) return wrongHeaders;
  const [, name = '', method = '', events] = address.exec(input.request.url ?? '') ?? [];
  const model = decodeURIComponent(name);
  const body = parse(input.body);
  if (!isJson(body)) return fault('Invalid JSON payload received.');
  const wrong = bodyFault(body);
  if (wrong !== undefined) return fault(wrong);
  const read = readContents(body['contents'], model);
  if ('fault' in read) return read;
  const stream = method === 'streamGenerateContent';
  if (stream !== (events !== undefined)) return fault('this upstream streams events only');
  const config = isJson(body['generationConfig']) ? body['generationConfig'] : {};
  const limit = config['maxOutputTokens'];
  if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) > 0))
    return fault('max_output_tokens must be positive.');
  return {
    model,
    stream,
    includeUsage: true,
    maxTokens: typeof limit === 'number' ? limit : null,
    prompt: read.texts.join(' '),
    nonce: '',
  };
};

const names = new Map([
  [401, 'UNAUTHENTICATED'],
  [404, 'NOT_FOUND'],
]);

const usageOf = (usage: unknown) => {
  if (!isJson(usage)) return {};
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  return { promptTokenCount: prompt, candidatesTokenCount: completion, totalTokenCount: total };
};

const response = ({ model }: ParsedRequest, made: Made, text: string, last: boolean) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, ...(last && { finishReason: 'STOP' }), index: 0 }],
  usageMetadata: usageOf(made.usage),
  modelVersion: model,
  responseId: made.id,
});

/** Gemini's API (provider notes 6 and 21). */
export const geminiForm: UpstreamForm = {
  check,
  refusal: ({ fault: message, status }) =>
    JSON.stringify({ error: { code: status, message, status: names.get(status) ?? 'INVALID_ARGUMENT' } }),
  whole: (request, made) => JSON.stringify(response(request, made, made.words.join(''), true)),
  events: (chat, made) =>
    made.words.map(
      (word, index) => `data: ${JSON.stringify(response(chat, made, word, index === made.words.length - 1))}\r\n\r\n`,
    ),
};
