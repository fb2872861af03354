import { livenessPaths, readinessPath } from '@weir/contract/health';

type Json = Record<string, unknown>;

interface ModelCall {
  readonly path: string;
  readonly summary: string;
  /** Members that a body must have beside the model. */
  readonly needs?: readonly string[];
  /** Members that callers mostly send; the others are those of the vendor's own interface. */
  readonly has?: readonly string[];
  /** Sent as a form with files. */
  readonly form?: true;
  /** The model has a default, or is in the path. */
  readonly anyModel?: true;
}

const rerank = { summary: 'Ranks documents.', needs: ['query', 'documents'] };

/** Calls of models: their bodies and answers are those of the vendors' own interfaces. */
const modelCalls: readonly ModelCall[] = [
  { path: '/v1/chat/completions', summary: 'OpenAI chat completions.', needs: ['messages'] },
  { path: '/v1/completions', summary: 'OpenAI completions.', needs: ['prompt'] },
  { path: '/v1/edits', summary: 'OpenAI edits, of older clients.', needs: ['instruction'] },
  { path: '/v1/responses', summary: 'OpenAI responses.', has: ['input'] },
  { path: '/v1/embeddings', summary: 'OpenAI embeddings.', needs: ['input'] },
  {
    path: '/v1/engines/{model}/embeddings',
    summary: 'OpenAI embeddings, of older clients.',
    needs: ['input'],
    anyModel: true,
  },
  { path: '/v1/moderations', summary: 'OpenAI moderations.', needs: ['input'], anyModel: true },
  { path: '/v1/images/generations', summary: 'OpenAI images.', needs: ['prompt'], anyModel: true },
  {
    path: '/v1/images/edits',
    summary: 'OpenAI images from images.',
    has: ['image', 'prompt'],
    form: true,
    anyModel: true,
  },
  {
    path: '/v1/images/variations',
    summary: 'OpenAI images like an image.',
    has: ['image'],
    form: true,
    anyModel: true,
  },
  { path: '/v1/audio/speech', summary: 'OpenAI speech.', needs: ['input'], has: ['voice'] },
  { path: '/v1/audio/transcriptions', summary: 'OpenAI transcriptions.', has: ['file'], form: true, anyModel: true },
  {
    path: '/v1/audio/translations',
    summary: 'OpenAI translations of recordings.',
    has: ['file'],
    form: true,
    anyModel: true,
  },
  { path: '/v1/messages', summary: 'Anthropic messages.', needs: ['messages'] },
  { path: '/v1/messages/count_tokens', summary: 'Anthropic token counts; free.', needs: ['messages'] },
  { path: '/v1/rerank', ...rerank },
  { path: '/v2/rerank', ...rerank },
  { path: '/rerank', ...rerank },
  {
    path: '/v1beta/models/{call}',
    summary: 'Gemini; the call is a model with its method, such as `gemini-2.5-flash:generateContent`.',
    anyModel: true,
  },
];

const idOf = (method: string, path: string): string =>
  [method, ...path.split('/').filter((part) => part !== '')].join('_').replace(/[^\w]/g, '');

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const json = { 'application/json': { schema: { type: 'object' } } };

const bodyOf = ({ needs = [], has = [], form, anyModel }: ModelCall): Json => {
  const schema = {
    type: 'object',
    required: [...(anyModel === true ? [] : ['model']), ...needs],
    properties: { model: { type: 'string' }, ...Object.fromEntries([...needs, ...has].map((name) => [name, {}])) },
    additionalProperties: true,
  };
  return { required: true, content: { [form === true ? 'multipart/form-data' : 'application/json']: { schema } } };
};

const relayOperation = (method: 'get' | 'post', path: string, summary: string, body?: Json): Json => ({
  operationId: idOf(method, path),
  summary,
  tags: ['relay'],
  security: [{ token: [] }],
  parameters: pathParameters(path),
  ...(body !== undefined && { requestBody: body }),
  responses: {
    200: {
      description: 'The answer in the format of the client: whole, or a stream of events where the request has one.',
      content: { ...json, ...(body !== undefined && { 'text/event-stream': { schema: { type: 'string' } } }) },
    },
    '4XX': { description: 'Refused, with the error object of the client’s format.', content: json },
    '5XX': { description: 'The upstream or this server failed, in the same form.', content: json },
  },
});

const realtime: Json = {
  ...relayOperation('get', '/v1/realtime', 'OpenAI realtime sessions, as a WebSocket.'),
  parameters: [{ name: 'model', in: 'query', required: true, schema: { type: 'string' } }],
  responses: {
    101: { description: 'The WebSocket is open.' },
    '4XX': { description: 'Refused, with an error object.', content: json },
    '5XX': { description: 'The upstream or this server failed, in the same form.', content: json },
  },
};

/** Reads of the relay. */
const relayReads: readonly (readonly [path: string, summary: string])[] = [
  ['/v1/models', 'The models of the key.'],
  ['/v1/models/{model}', 'One model of the key.'],
  ['/v1beta/models', 'The models of the key, in Gemini’s form.'],
  ['/v1/dashboard/billing/subscription', 'The limit of the key, in the form of OpenAI’s older console.'],
  ['/v1/dashboard/billing/usage', 'What the key used, in the same form.'],
];

const healthOperation = (path: string, summary: string): Json => ({
  operationId: idOf('get', path),
  summary,
  tags: ['health'],
  security: [],
  responses: {
    200: { description: 'Yes.' },
    ...(path === readinessPath && { 503: { description: 'No, with the reason for each part.', content: json } }),
    '4XX': { description: 'Another method.' },
  },
});

/** The paths beside the management API: those of the relay, and those of probes. */
export const describeOtherPaths = (): Record<string, Json> => ({
  ...Object.fromEntries(
    modelCalls.map((call) => [call.path, { post: relayOperation('post', call.path, call.summary, bodyOf(call)) }]),
  ),
  ...Object.fromEntries(relayReads.map(([path, summary]) => [path, { get: relayOperation('get', path, summary) }])),
  '/v1/realtime': { get: realtime },
  ...Object.fromEntries(
    livenessPaths.map((path) => [path, { get: healthOperation(path, 'Whether the process runs.') }]),
  ),
  [readinessPath]: { get: healthOperation(readinessPath, 'Whether this node should get calls.') },
});
