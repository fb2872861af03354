import { checkHeaders, fault, parse, type ParsedRequest, type ChatFault } from './fake-upstream-check.ts';
import type { FakeUpstreamOptions, UpstreamForm } from './fake-upstream.ts';
import { isJson, type Json } from '../parsing/json.ts';

/** One endpoint of an upstream that is no conversation. */
interface EndpointForm {
  readonly path: string;
  /** Members that the real service knows; any other is refused. */
  readonly members: readonly string[];
  /** The prompt as a text whose words are its tokens; null: the request is refused. */
  prompt(body: Json): string | null;
  answer(request: ParsedRequest, usage: Json, words: readonly string[]): object;
  /** Absent: it never streams. */
  events?(request: ParsedRequest, usage: Json, words: readonly string[]): readonly object[];
}

const textsOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value === '' ? null : value;
  if (!Array.isArray(value) || value.length === 0) return null;
  const texts = value.map((item: unknown) => (typeof item === 'number' ? 'token' : textsOf(item)));
  return texts.includes(null) ? null : texts.join(' ');
};

const isText = (value: unknown): boolean => typeof value === 'string';

const refusal = ({ fault: message, code }: ChatFault): string =>
  JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } });

const checkBody = (body: unknown, { members, prompt: promptOf }: EndpointForm): ParsedRequest | ChatFault => {
  if (!isJson(body)) return fault('We could not parse the JSON body of your request.');
  const unknown = Object.keys(body).find((name) => !members.includes(name));
  if (unknown !== undefined) return fault(`Unrecognized request argument supplied: ${unknown}`);
  const { model = 'the default', stream = false, stream_options: options, max_tokens: limit = null } = body;
  if (stream !== true && options !== undefined)
    return fault("'stream_options' is only allowed when 'stream' is enabled.");
  const unbounded = members.includes('max_tokens') ? null : 0;
  const maxTokens = typeof limit === 'number' ? limit : unbounded;
  if (typeof model !== 'string' || model === '') return fault('you must provide a model parameter');
  const prompt = promptOf(body);
  if (prompt === null) return fault("'$.input' is invalid.");
  const includeUsage = isJson(options) && options['include_usage'] === true;
  return { model, stream: stream === true, includeUsage, maxTokens, prompt, nonce: prompt };
};

/** A strict upstream of one endpoint, whose journal identifies a request by its prompt. */
export const endpointUpstream = (form: EndpointForm): FakeUpstreamOptions => {
  const upstream: UpstreamForm = {
    check: (input) => checkHeaders(input) ?? checkBody(parse(input.body), form),
    refusal,
    whole: (request, { usage, words }) =>
      JSON.stringify(form.answer(request, isJson(usage) ? usage : {}, words), null, 1),
    events: (request, { usage, words }) => [
      ...(form.events?.(request, isJson(usage) ? usage : {}, words) ?? []).map(
        (event) => `data: ${JSON.stringify(event)}\n\n`,
      ),
      'data: [DONE]\n\n',
    ],
  };
  return { form: upstream, path: new RegExp(`^${form.path}$`) };
};

/** 0.25, -0.5 as little-endian floats. */
const packed = Buffer.from(new Float32Array([0.25, -0.5]).buffer).toString('base64');

export const embeddingsForm: EndpointForm = {
  path: '/v1/embeddings',
  members: ['model', 'input', 'encoding_format', 'dimensions', 'user'],
  prompt: ({ input }) => textsOf(input),
  answer: ({ model }, { prompt_tokens: prompt }) => ({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: packed }],
    model,
    usage: { prompt_tokens: prompt, total_tokens: prompt },
    x_vendor_extra: { kept: true },
  }),
};

/** The texts of a query and of documents, which are texts or objects with one. */
const rankedTexts = (query: unknown, documents: unknown): string | null => {
  const texts = Array.isArray(documents)
    ? documents.map((item: unknown) => textsOf(isJson(item) ? item['text'] : item))
    : [];
  const request = textsOf(query);
  return request === null || texts.length === 0 || texts.includes(null) ? null : [request, ...texts].join(' ');
};

/** Ranks in the format of Cohere, Jina and others. */
export const rerankForm: EndpointForm = {
  path: '/v1/rerank',
  members: ['model', 'query', 'documents', 'top_n', 'return_documents'],
  prompt: ({ query, documents }) => rankedTexts(query, documents),
  answer: ({ model }, { prompt_tokens: prompt }) => ({
    model,
    results: [{ index: 1, relevance_score: 0.9 }],
    usage: { total_tokens: prompt },
  }),
};

/** Ranks of DashScope. */
export const aliRerankForm: EndpointForm = {
  path: '/api/v1/services/rerank/text-rerank/text-rerank',
  members: ['model', 'input', 'parameters'],
  prompt: ({ input, parameters }) =>
    isJson(input) && isJson(parameters) && Array.isArray(input['documents']) && input['documents'].every(isText)
      ? rankedTexts(input['query'], input['documents'])
      : null,
  answer: (_, { prompt_tokens: prompt }) => ({
    output: { results: [{ index: 1, relevance_score: 0.9, document: { text: 'and three more' } }] },
    usage: { total_tokens: prompt },
    request_id: 'r-1',
  }),
};

export const moderationsForm: EndpointForm = {
  path: '/v1/moderations',
  members: ['model', 'input'],
  prompt: ({ input }) => textsOf(input),
  answer: ({ model }) => ({
    id: 'modr-1',
    model,
    results: [{ flagged: false, categories: { violence: false }, category_scores: { violence: 0.01 } }],
  }),
};

const completion = ({ model }: ParsedRequest, members: object) => ({
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1_790_000_000,
  model,
  ...members,
});
const choice = (text: string, finish: string | null) => ({ index: 0, text, logprobs: null, finish_reason: finish });

export const completionsForm: EndpointForm = {
  path: '/v1/completions',
  members: ['model', 'prompt', 'max_tokens', 'stream', 'stream_options', 'n', 'best_of', 'suffix', 'echo', 'user'],
  prompt: ({ prompt }) => textsOf(prompt),
  answer: (request, usage, words) => completion(request, { choices: [choice(words.join(''), 'stop')], usage }),
  events: (request, usage, words) => [
    ...words.map((word) => completion(request, { choices: [choice(word, null)] })),
    completion(request, { choices: [choice('', 'stop')] }),
    ...(request.includeUsage ? [completion(request, { choices: [], usage })] : []),
  ],
};
