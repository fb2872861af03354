import { isObject, type Json, numberAt, objectAt, parseJson } from '../../conversation/json.ts';
import type { Usage } from '../../conversation/usage.ts';
import { badBody, reportedFailure } from '../failure.ts';
import { embeddingsPath, packed, promptUsage } from './openai-embedder.ts';
import { openAiFailure, openAiRequest, type OpenAiTraits, renamed } from './openai-request.ts';
import { noStream } from '../no-stream.ts';
import { transcriptions } from './openai-transcriptions.ts';
import type { ClientResponse, Provider, ProviderCall, Translation } from '../provider.ts';

/** 1,000 search units of Cohere's cost 2 dollars, as 1,000,000 tokens do at ratio 1. */
const tokensPerSearch = 1000;

interface Endpoint {
  /** The upstream path, where the client may use an older one. */
  readonly path: string;
  /** The list member that a valid answer has. */
  readonly list: string;
  usage(body: Json): Usage | null;
  /** Rewrites the body; absent: it is passed through. */
  rewrite?(body: Buffer, members: Json, call: ProviderCall): Buffer;
}

const readWhole = (body: Buffer, call: ProviderCall, facts: Endpoint, { failureIn }: OpenAiTraits): ClientResponse => {
  const { list, usage, rewrite } = facts;
  const parsed = parseJson(body.toString());
  if (!isObject(parsed)) return { kind: 'failure', failure: badBody('the upstream response is not a JSON object') };
  const failure = reportedFailure(parsed) ?? failureIn?.(parsed) ?? null;
  if (failure !== null) return { kind: 'failure', failure };
  if (!Array.isArray(parsed[list]))
    return { kind: 'failure', failure: badBody(`the upstream response has no ${list}`) };
  const passed = rewrite?.(body, parsed, call) ?? body;
  return { kind: 'answer', body: passed, usage: usage(parsed), output: () => '' };
};

/** An endpoint whose requests and answers are passed through. */
const endpoint = (traits: OpenAiTraits, facts: Endpoint): Translation => ({
  request: (call, channel) =>
    openAiRequest({ ...call, path: facts.path }, channel, traits, () => call.body(renamed(call, traits))),
  response: (body, call) => readWhole(body, call, facts, traits),
  stream: noStream,
  failure: (status, body) => openAiFailure(status, body, traits),
});

/** Reranking is charged by input tokens, or by search units: one unit counts as a thousand tokens. */
const rerankUsage = (body: Json): Usage | null => {
  const usage = promptUsage(body);
  if (usage !== null) return usage;
  const report = objectAt(body, 'meta');
  const tokens = objectAt(report, 'tokens')['input_tokens'] ?? 0;
  const units = numberAt(objectAt(report, 'billed_units'), 'search_units') ?? 0;
  const prompt = tokens === 0 ? units * tokensPerSearch : tokens;
  return prompt === 0 ? null : { prompt, completion: 0, total: prompt };
};

/** Tokens of images, from models that are priced by them (gpt-image). */
const imageUsage = (body: Json): Usage | null => {
  const { usage } = body;
  if (!isObject(usage)) return null;
  const [input, output] = [objectAt(usage, 'input_tokens_details'), objectAt(usage, 'output_tokens_details')];
  return {
    prompt: usage['input_tokens'],
    completion: usage['output_tokens'],
    total: usage['total_tokens'],
    parts: {
      cacheRead: input['cached_tokens'],
      imagePrompt: input['image_tokens'],
      imageCompletion: output['image_tokens'] ?? usage['output_tokens'],
    },
  };
};

/** Audio is passed through; a failure with a success status is JSON. */
const speech = (traits: OpenAiTraits): Translation => ({
  ...endpoint(traits, { path: '/v1/audio/speech', list: '', usage: () => null }),
  response: (body) => {
    const parsed = body[0] === 0x7b ? parseJson(body.toString()) : null;
    const failure = isObject(parsed) ? (reportedFailure(parsed) ?? traits.failureIn?.(parsed) ?? null) : null;
    if (failure !== null) return { kind: 'failure', failure };
    if (body.length === 0) return { kind: 'failure', failure: badBody('the upstream response has no sound') };
    return { kind: 'answer', body, usage: null, output: () => '' };
  },
});

/** The endpoints of OpenAI's format besides conversations (provider notes 19.7, 19.10). */
export const openAiEndpoints = (traits: OpenAiTraits): Provider['native'] => ({
  'openai-embeddings': endpoint(traits, {
    path: embeddingsPath,
    list: 'data',
    usage: promptUsage,
    rewrite: packed,
  }),
  'openai-moderations': endpoint(traits, { path: '/v1/moderations', list: 'results', usage: promptUsage }),
  'openai-images': endpoint(traits, { path: '/v1/images/generations', list: 'data', usage: imageUsage }),
  'openai-image-edits': endpoint(traits, { path: '/v1/images/edits', list: 'data', usage: imageUsage }),
  'openai-image-variations': endpoint(traits, { path: '/v1/images/variations', list: 'data', usage: imageUsage }),
  'openai-speech': speech(traits),
  'openai-transcriptions': transcriptions(traits),
  'openai-translations': transcriptions(traits),
  rerank: endpoint(traits, { path: '/v1/rerank', list: 'results', usage: rerankUsage }),
});
