import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { betasIn, checkMessages } from './fake-anthropic.ts';
import { geminiForm } from './fake-gemini.ts';
import { startFakeUpstream, type FakeUpstream } from '../fake-upstream.ts';
import {
  type ParsedRequest,
  type ChatFault,
  checkHeaders,
  type CheckInput,
  fault,
  parse,
} from '../fake-upstream-check.ts';
import { parseObject, objectOf, textOf } from '../../parsing/json.ts';

const region = 'us-central1';
const project = 'weir-test';
const email = `relay@${project}.iam.gserviceaccount.com`;
const tokenPath = '/token';
const skewSeconds = 300;

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** The error of a service account's assertion; undefined: it is valid. */
const assertionFault = (assertion: string, audience: string): string | undefined => {
  const [head = '', claims = '', signature = ''] = assertion.split('.');
  const content = Buffer.from(`${head}.${claims}`);
  const right = verify('sha256', content, createPublicKey(publicKey), Buffer.from(signature, 'base64url'));
  if (!right) return 'Invalid JWT Signature.';
  const read = (part: string) => parseObject(Buffer.from(part, 'base64url').toString());
  if (read(head)['alg'] !== 'RS256' || read(head)['kid'] !== 'key-1') return 'Invalid JWT header.';
  const { iss, aud, scope, iat, exp } = read(claims);
  if (iss !== email || aud !== audience) return 'Invalid JWT: wrong issuer or audience.';
  if (scope !== 'https://www.googleapis.com/auth/cloud-platform') return 'Invalid OAuth scope.';
  const life = Number(exp) - Number(iat);
  const late = Math.abs(Number(iat) - Date.now() / 1000) < skewSeconds;
  return late && life > 0 && life <= 3600 ? undefined : 'Invalid JWT: Token must be a short-lived token.';
};

const storage = `/v1/projects/${project}/locations/${region}/publishers/`;
const claudeAddress = /^anthropic\/models\/([^/:]+):(rawPredict|streamRawPredict)$/;

/** Betas of Anthropic's own service. */
const refusedBeta = /^(?:claude-code|oauth|files-api|mcp-client|web-fetch|prompt-caching-scope)-/;

/** Claude's body without the model, which the URL contains. */
const readClaudeRequest = (
  { body: bytes, request }: CheckInput,
  model: string,
  stream: boolean,
): ParsedRequest | ChatFault => {
  const { anthropic_version: version, ...members } = objectOf(parse(bytes));
  if (version !== 'vertex-2023-10-16') return fault('anthropic_version: Field required');
  if ('model' in members || (members['stream'] === true) !== stream)
    return fault('model: Extra inputs are not permitted');
  const betas = betasIn(request.headers['anthropic-beta']);
  if (betas.some((name) => refusedBeta.test(name))) return fault('Unexpected value(s) for the anthropic-beta header');
  return checkMessages(Buffer.from(JSON.stringify({ ...members, model })), { betas });
};

const gardenPath = '/v1beta1/publishers/';
const garden: Readonly<Record<string, readonly string[]>> = {
  'google/models?pageSize=200': ['imagegeneration', 'gemini-2.5-pro'],
  'google/models?pageSize=200&pageToken=a%2Fb': ['gemini-3.8-flash', 'text-bison'],
  'anthropic/models?pageSize=200': ['claude-opus-5-5'],
};

/** `publishers.models.list`, for which a project pays. Source: Vertex AI REST reference, v1beta1. */
const gardenList = ({ method, url = '', headers }: IncomingMessage, token: string) => {
  const wrong = (status: number, message: string) => ({
    status,
    body: JSON.stringify({ error: { code: status, message } }),
  });
  const page = url.slice(gardenPath.length);
  if (token === '' || headers.authorization !== `Bearer ${token}`)
    return wrong(401, 'Request had invalid credentials.');
  if (headers['x-goog-user-project'] !== project) return wrong(403, 'The API requires a quota project.');
  const names = method === 'GET' ? garden[page] : undefined;
  if (names === undefined) return wrong(404, 'Not found');
  const [publisher = ''] = page.split('/');
  const publisherModels = names.map((name) => ({
    name: `publishers/${publisher}/models/${name}`,
    versionId: 'default',
  }));
  const next = page === 'google/models?pageSize=200' ? { nextPageToken: 'a/b' } : {};
  return { status: 200, body: JSON.stringify({ publisherModels, ...next }) };
};

/** Vertex AI with its token endpoint. It keeps the last token that it issued. */
export interface FakeVertex {
  start(): Promise<FakeUpstream>;
  /** How many tokens were issued. */
  given(): number;
  /** Revokes the token issued so far. */
  expire(): void;
}

/** Google's and Anthropic's models on Google Cloud. Source: Vertex AI REST reference; OAuth 2.0 for server to server. */
export const createFakeVertex = (): FakeVertex => {
  let url = '';
  let token = '';
  let given = 0;

  const aside = (message: IncomingMessage, body: Buffer) => {
    const { method, url: request } = message;
    if (request?.startsWith(gardenPath) === true) return gardenList(message, token);
    if (request !== tokenPath) return null;
    const form = new URLSearchParams(body.toString());
    const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const wrong =
      method !== 'POST' || form.get('grant_type') !== grant
        ? 'Bad grant type.'
        : assertionFault(form.get('assertion') ?? '', url + tokenPath);
    if (wrong !== undefined)
      return { status: 400, body: JSON.stringify({ error: 'invalid_grant', error_description: wrong }) };
    given += 1;
    token = `ya29.${randomUUID()}`;
    return { status: 200, body: JSON.stringify({ access_token: token, expires_in: 3599, token_type: 'Bearer' }) };
  };

  const check = (input: CheckInput): ParsedRequest | ChatFault => {
    const { url: address = '' } = input.request;
    if (!address.startsWith(storage)) return fault('Not found', 404);
    const wrong = checkHeaders({ ...input, key: token, path: /./ });
    if (wrong !== undefined) return wrong;
    const [, model = '', method = ''] = claudeAddress.exec(address.slice(storage.length)) ?? [];
    if (model !== '') return readClaudeRequest(input, model, method === 'streamRawPredict');
    return address.startsWith(`${storage}google/`)
      ? geminiForm.check({ ...input, key: token, path: /./ })
      : fault('Publisher Model was not found', 404);
  };

  return {
    start: async () => {
      const upstream = await startFakeUpstream({ form: { aside, check, refusal: geminiForm.refusal } });
      ({ url } = upstream);
      const account = {
        type: 'service_account',
        project_id: project,
        private_key_id: 'key-1',
        private_key: textOf(privateKey),
        client_email: email,
        token_uri: url + tokenPath,
      };
      return { ...upstream, key: `${region}|${project}|${JSON.stringify(account)}` };
    },
    given: () => given,
    expire: () => (token = ''),
  };
};
