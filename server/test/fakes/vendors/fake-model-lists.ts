import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { bedrockKey, signatureFault } from './fake-bedrock.ts';

/** What a vendor's list answers to a request with the right key; undefined: it has no such page. */
export interface ListAnswer {
  readonly status?: number;
  /** A text is sent as it is. */
  readonly body: unknown;
}

/** The list of one vendor: how it takes keys, and its pages by path and query. */
export interface ModelList {
  readonly key: string;
  /** The error of a request's key; undefined: it is right. */
  readonly wrongKey: (request: IncomingMessage, key: string) => string | undefined;
  /** The error in the vendor's form. */
  readonly error: (message: string) => unknown;
  readonly pages: Readonly<Record<string, unknown>>;
}

const key = 'sk-list-canary-0123456789';
const isBearer: ModelList['wrongKey'] = ({ headers }, right) =>
  headers.authorization === `Bearer ${right}` && headers['x-api-key'] === undefined ? undefined : 'Incorrect API key';
const openAiError: ModelList['error'] = (message) => ({ error: { message, type: 'invalid_request_error' } });
const openAiList = (...ids: readonly string[]) => ({
  object: 'list',
  data: ids.map((id) => ({ id, object: 'model', created: 1, owned_by: 'vendor' })),
});

const bearerList = (pages: ModelList['pages']): ModelList => ({ key, wrongKey: isBearer, error: openAiError, pages });

/** OpenAI's list below several base URLs. */
export const openAiLists = bearerList({
  '/v1/models': openAiList('gpt-b', 'gpt-a', 'gpt-b'),
  '/openai/models': openAiList('at-address'),
  '/api/v1/models': openAiList('vendor/model'),
  '/openai/v1/models': openAiList('groq-model'),
  '/api/v3/models': openAiList('doubao-seed'),
  '/v2/models': openAiList('ernie-5'),
  '/compatible-mode/v1/models': openAiList('qwen3.8-max'),
  '/api/paas/v4/models': openAiList('glm-5.3'),
  // together.ai sends the bare array.
  '/together/v1/models': [{ id: 'Qwen/Qwen3', object: 'model' }],
});

/** Source: Anthropic API reference, "List Models". */
export const anthropicLists: ModelList = {
  key,
  wrongKey: ({ headers }, right) => {
    if (headers['anthropic-version'] !== '2023-06-01') return 'anthropic-version: header is required';
    if (headers.authorization !== undefined || headers['x-api-key'] !== right) return 'invalid x-api-key';
    return undefined;
  },
  error: (message) => ({ type: 'error', error: { type: 'authentication_error', message } }),
  pages: {
    '/v1/models?limit=1000': {
      data: [{ type: 'model', id: 'claude-opus-5-5', display_name: 'Claude' }],
      has_more: true,
      first_id: 'claude-opus-5-5',
      last_id: 'claude-opus-5-5',
    },
    '/v1/models?limit=1000&after_id=claude-opus-5-5': {
      data: [{ type: 'model', id: 'claude-haiku-4-5-20251001', display_name: 'Claude' }],
      has_more: false,
      first_id: 'claude-haiku-4-5-20251001',
      last_id: 'claude-haiku-4-5-20251001',
    },
  },
};

/** Source: ai.google.dev, REST reference, `models.list`. */
export const geminiLists: ModelList = {
  key,
  wrongKey: ({ headers }, right) =>
    headers['x-goog-api-key'] === right && headers.authorization === undefined ? undefined : 'API key not valid.',
  error: (message) => ({ error: { code: 401, message, status: 'UNAUTHENTICATED' } }),
  pages: {
    '/v1beta/models?pageSize=1000': {
      models: [
        { name: 'models/gemini-2.5-pro', supportedGenerationMethods: ['generateContent', 'countTokens'] },
        { name: 'models/gemini-embedding-001', supportedGenerationMethods: ['embedContent'] },
        { name: 'models/veo-3.1-generate-001', supportedGenerationMethods: ['predictLongRunning'] },
        { name: 'models/aqa', supportedGenerationMethods: ['generateAnswer'] },
      ],
      nextPageToken: 'page/2',
    },
    '/v1beta/models?pageSize=1000&pageToken=page%2F2': {
      models: [{ name: 'models/gemini-3.8-flash', supportedGenerationMethods: ['generateContent'] }],
    },
    '/v1/models?pageSize=1000': {
      models: [{ name: 'models/gemini-v1', supportedGenerationMethods: ['generateContent'] }],
    },
  },
};

/** Source: docs.cohere.com, "List Models". */
export const cohereLists = bearerList({
  '/v1/models?page_size=1000': {
    models: [
      { name: 'command-a', endpoints: ['chat'] },
      { name: 'classify-v1', endpoints: ['classify'] },
    ],
    next_page_token: 'n2',
  },
  '/v1/models?page_size=1000&page_token=n2': { models: [{ name: 'rerank-v4', endpoints: ['rerank'] }] },
});

/** A server without keys. Source: github.com/ollama/ollama, docs/api.md. */
export const ollamaLists: ModelList = {
  key: 'ollama',
  wrongKey: ({ headers }) => (headers.authorization === undefined ? undefined : 'unexpected key'),
  error: (message) => ({ error: message }),
  pages: { '/api/tags': { models: [{ name: 'llama3:latest', model: 'llama3:latest', size: 1 }] } },
};

/** Source: replicate.com, HTTP API reference. */
export const replicateLists = bearerList({
  '/v1/collections/official': {
    name: 'Official models',
    slug: 'official',
    models: [{ owner: 'black-forest-labs', name: 'flux-2' }],
  },
});

const workersAi = (count: number, from: number) => ({
  success: true,
  result: Array.from({ length: count }, (_, index) => ({
    id: String(index),
    name: `@cf/maker/model-${from + index}`,
    task: { name: index === 0 ? 'Text-to-Image' : 'Text Generation' },
  })),
});

/** Source: Cloudflare API, "Model Search". */
export const cloudflareLists = bearerList({
  '/client/v4/accounts/acc1/ai/models/search?per_page=100&page=1': workersAi(100, 0),
  '/client/v4/accounts/acc1/ai/models/search?per_page=100&page=2': workersAi(2, 100),
});

/** Source: Bedrock API reference, `ListFoundationModels` and `ListInferenceProfiles`. */
export const bedrockLists: ModelList = {
  key: bedrockKey,
  wrongKey: (request) => signatureFault(request, Buffer.alloc(0)),
  error: (message) => ({ message }),
  pages: {
    '/foundation-models': {
      modelSummaries: [
        {
          modelId: 'amazon.nova-lite-v1:0',
          outputModalities: ['TEXT'],
          inferenceTypesSupported: ['ON_DEMAND'],
        },
        {
          modelId: 'anthropic.claude-3-haiku-20240307-v1:0',
          outputModalities: ['TEXT'],
          inferenceTypesSupported: ['ON_DEMAND', 'PROVISIONED'],
        },
        {
          modelId: 'anthropic.claude-opus-5-5',
          outputModalities: ['TEXT'],
          inferenceTypesSupported: ['INFERENCE_PROFILE'],
        },
        {
          modelId: 'amazon.titan-embed-text-v2:0',
          outputModalities: ['EMBEDDING'],
          inferenceTypesSupported: ['ON_DEMAND'],
        },
      ],
    },
    '/inference-profiles?maxResults=1000&type=SYSTEM_DEFINED': {
      inferenceProfileSummaries: [
        { inferenceProfileId: 'us.anthropic.claude-opus-5-5', status: 'ACTIVE', type: 'SYSTEM_DEFINED' },
        { inferenceProfileId: 'us.stability.stable-image-v1:0', status: 'ACTIVE', type: 'SYSTEM_DEFINED' },
      ],
      nextToken: 'p2+/=',
    },
    '/inference-profiles?maxResults=1000&nextToken=p2%2B%2F%3D&type=SYSTEM_DEFINED': {
      inferenceProfileSummaries: [
        { inferenceProfileId: 'global.anthropic.claude-opus-5-5', status: 'ACTIVE', type: 'SYSTEM_DEFINED' },
      ],
    },
  },
};

export interface FakeModelLists {
  readonly url: string;
  readonly key: string;
  /** Requested paths, queries included. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** A vendor's list on loopback: it answers its pages alone, to GETs without a body and with the right key. */
export const startModelLists = async (list: ModelList): Promise<FakeModelLists> => {
  const requests: string[] = [];
  const answerTo = (request: IncomingMessage): ListAnswer => {
    const { url = '', method, headers } = request;
    if (method !== 'GET' || (headers['content-length'] ?? '0') !== '0') return { status: 405, body: list.error('GET') };
    const wrong = list.wrongKey(request, list.key);
    if (wrong !== undefined) return { status: 401, body: list.error(`${wrong}: ${headers.authorization ?? ''}`) };
    return url in list.pages ? { body: list.pages[url] } : { status: 404, body: list.error('no such path') };
  };
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const { status = 200, body } = answerTo(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    key: list.key,
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
