import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { checkMessages } from './fake-anthropic.ts';
import type { UpstreamForm } from '../fake-upstream.ts';
import {
  type ParsedRequest,
  type ChatFault,
  checkHeaders,
  type CheckInput,
  fault,
  parse,
} from '../fake-upstream-check.ts';
import { isJson, type Json, listOf, objectOf, textOf } from '../../parsing/json.ts';

export const bedrockKeys = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const region = 'us-west-2';
export const bedrockKey = `${bedrockKeys.accessKey}|${bedrockKeys.secretKey}|${region}`;

const hash = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
const mac = (key: Buffer | string, content: string): Buffer => createHmac('sha256', key).update(content).digest();

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
const mustBeSigned = ['content-type', 'host', 'x-amz-date'];
const skewMs = 5 * 60_000;

const timeOf = (stamp: string): number =>
  Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Recomputes the signature from the request; a text: the error. */
export const signatureFault = ({ headers, method, url = '' }: IncomingMessage, body: Buffer): string | undefined => {
  const match = form.exec(headers.authorization ?? '');
  if (match === null) return 'The request signature does not conform to AWS standards.';
  const [, accessKey, day = '', area = '', service = '', names = '', signature] = match;
  const stamp = String(headers['x-amz-date']);
  if (accessKey !== bedrockKeys.accessKey) return 'The security token included in the request is invalid.';
  if (!stamp.startsWith(day) || !(Math.abs(timeOf(stamp) - Date.now()) < skewMs)) return 'Signature expired.';
  if (area !== region || service !== 'bedrock') return 'Credential should be scoped to a valid region.';
  const signed = names.split(';');
  if (signed.toSorted().join(';') !== names || mustBeSigned.some((name) => !signed.includes(name)))
    return 'Required headers are not signed.';
  const [path = '', query = ''] = url.split('?', 2);
  const storage = path.replaceAll(
    /[^A-Za-z0-9_.~/-]/g,
    (sign) => `%${Buffer.from(sign).toString('hex').toUpperCase()}`,
  );
  const lines = signed.map((name) => `${name}:${String(headers[name])}`);
  const sorted = query.split('&').toSorted().join('&');
  const canonical = [method, storage, sorted, ...lines, '', names, hash(body)].join('\n');
  const scope = `${day}/${area}/${service}/aws4_request`;
  const key = mac(mac(mac(mac(`AWS4${bedrockKeys.secretKey}`, day), area), service), 'aws4_request');
  const right = mac(key, ['AWS4-HMAC-SHA256', stamp, scope, hash(canonical)].join('\n')).toString('hex');
  return right === signature
    ? undefined
    : 'The request signature we calculated does not match the signature you provided.';
};

const blockKinds = {
  user: ['text', 'image', 'document', 'toolResult', 'cachePoint'],
  assistant: ['text', 'toolUse', 'reasoningContent'],
};
const known = ['messages', 'system', 'inferenceConfig', 'toolConfig', 'additionalModelRequestFields'];

const messageFault = (message: Json, index: number): string | undefined => {
  const role = index % 2 === 0 ? 'user' : 'assistant';
  if (message['role'] !== role) return 'A conversation must alternate between user and assistant roles.';
  const blocks = listOf(message['content']);
  if (blocks.length === 0) return 'The content field in the Message object is empty.';
  return blocks.some(
    (block) => Object.keys(block).length !== 1 || !blockKinds[role].includes(Object.keys(block)[0] ?? ''),
  )
    ? 'Malformed input request: a block has one member.'
    : undefined;
};

/** Every call is answered by the next message. */
const callsFault = (messages: readonly Json[]): string | undefined => {
  const idsIn = (message: Json | undefined, kind: string): string =>
    listOf(message?.['content'])
      .flatMap((block) => (isJson(block[kind]) ? [textOf(block[kind]['toolUseId'])] : []))
      .toSorted()
      .join();
  return messages.some(
    (message, index) =>
      message['role'] === 'assistant' && idsIn(message, 'toolUse') !== idsIn(messages[index + 1], 'toolResult'),
  )
    ? 'Expected toolResult blocks for the following Ids.'
    : undefined;
};

const converseFault = (body: Json): string | undefined => {
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) return `extraneous key [${unknown}] is not permitted`;
  const messages = listOf(body['messages']);
  if (messages.length === 0) return 'messages must not be empty';
  const wrong = messages.map(messageFault).find((text) => text !== undefined) ?? callsFault(messages);
  if (wrong !== undefined) return wrong;
  const tools = listOf(objectOf(body['toolConfig'])['tools']).map(({ toolSpec }) => objectOf(toolSpec));
  if (body['toolConfig'] !== undefined && tools.length === 0) return 'toolConfig.tools must not be empty';
  if (tools.length === 0 && JSON.stringify(messages).includes('"toolUse"'))
    return 'The toolConfig field must be defined.';
  if (tools.some(({ inputSchema }) => objectOf(objectOf(inputSchema)['json'])['type'] !== 'object'))
    return 'The json schema definition is invalid.';
  return undefined;
};

const readConverseRequest = (body: Json): Pick<ParsedRequest, 'maxTokens' | 'prompt'> => {
  const { maxTokens } = objectOf(body['inferenceConfig']);
  return { maxTokens: typeof maxTokens === 'number' ? maxTokens : null, prompt: '' };
};

/** Betas of Anthropic's own service. */
const refusedBeta = /^(?:claude-code|oauth|files-api|mcp-client|web-fetch|prompt-caching-scope)-/;

/** Claude's body without the members that the URL contains. */
const readClaudeRequest = (bytes: Buffer, model: string, stream: boolean): ParsedRequest | ChatFault => {
  const body = objectOf(parse(bytes));
  const { anthropic_version: version, anthropic_beta: listed = [], ...members } = body;
  if (version !== 'bedrock-2023-05-31') return fault('anthropic_version: Field required');
  if ('model' in body || 'stream' in body || 'metadata' in body) return fault('Extra inputs are not permitted');
  const betas = Array.isArray(listed) ? listed.map(String) : [];
  if (betas.some((name) => refusedBeta.test(name))) return fault('invalid beta flag');
  if (/"type":"url"/.test(JSON.stringify(members))) return fault('source.type: Input should be base64');
  return checkMessages(Buffer.from(JSON.stringify({ ...members, model, stream })), { betas });
};

const check = (input: CheckInput): ParsedRequest | ChatFault => {
  const unsigned = signatureFault(input.request, input.body);
  if (unsigned !== undefined) return fault(unsigned, 403, '403');
  const wrongHeaders = checkHeaders(input, true);
  if (wrongHeaders !== undefined) return wrongHeaders;
  const [, model = '', method = ''] = /\/model\/([^/]+)\/([a-z-]+)$/.exec(input.request.url ?? '') ?? [];
  const name = decodeURIComponent(model);
  if (encodeURIComponent(name) !== model) return fault('The model identifier is not encoded.');
  const stream = method.endsWith('stream');
  const isClaude = method.startsWith('invoke');
  if (isClaude !== name.includes('anthropic.claude')) return fault('The model does not support this operation.');
  if (isClaude) return readClaudeRequest(input.body, name, stream);
  const body = parse(input.body);
  if (!isJson(body)) return fault('The request body is not JSON.');
  const wrong = converseFault(body);
  return wrong === undefined
    ? { model: name, stream, includeUsage: true, nonce: '', ...readConverseRequest(body) }
    : fault(wrong);
};

/** Amazon Bedrock's runtime, with its signatures. Source: Bedrock API reference. */
export const bedrockForm: UpstreamForm = {
  streamType: 'application/vnd.amazon.eventstream',
  check,
  refusal: ({ fault: message }) => JSON.stringify({ message }),
};
