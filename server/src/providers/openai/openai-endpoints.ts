import { isObject, type Json, numberAt, objectAt, parseJson } from '../../conversation/json.ts';
import type { Usage } from '../../conversation/usage.ts';
import { badBody, reportedFailure } from '../failure.ts';
import { embeddingsPath, packed, promptUsage } from './openai-embedder.ts';
import { openAiFailure, openAiRequest, type OpenAiTraits, renamed } from './openai-request.ts';
import { noStream } from '../no-stream.ts';
import { transcriptions } from './openai-transcriptions.ts';
import type { ClientResponse, Provider, ProviderCall, Translation } from '../provider.ts';

/** A search unit of Cohere's is 2 dollars a thousand, as a thousand tokens at ratio 1 are. */
const tokensPerSearch = 1000;

interface Endpoint {
  /** The path to ask, whatever older one the client asked. */
  readonly path: string;
  /** The member that makes a body an answer: a list. */
  readonly list: string;
  usage(body: Json): Usage | null;
  /** What of the body goes on; absent: all of it as it is. */
  rewrite?(body: Buffer, members: Json, call: ProviderCall): Buffer;
}

const readWhole = (body: Buffer, call: ProviderCall, facts: Endpoint, { failureIn }: OpenAiTraits): ClientResponse => {
  const { list, usage, rewrite } = facts;
  const parsed = parseJson(body.toString());
  if (!isObject(parsed))
    return { kind: 'failure', failure: badBody('the upstream answered something that is no JSON object') };
  const failure = reportedFailure(parsed) ?? failureIn?.(parsed) ?? null;
  if (failure !== null) return { kind: 'failure', failure };
  if (!Array.isArray(parsed[list]))
    return { kind: 'failure', failure: badBody(`the upstream answered without ${list}`) };
  const passed = rewrite?.(body, parsed, call) ?? body;
  return { kind: 'answer', body: passed, usage: usage(parsed), output: () => '' };
};

/** An endpoint whose requests and answers go on as they are. */
const endpoint = (traits: OpenAiTraits, facts: Endpoint): Translation => ({
  request: (call, channel) =>
    openAiRequest({ ...call, path: facts.path }, channel, traits, () => call.body(renamed(call, traits))),
  response: (body, call) => readWhole(body, call, facts, traits),
  stream: noStream,
  failure: (status, body) => openAiFailure(status, body, traits),
});

/** Ranks cost by the tokens that were read, or by units of searching, of which one costs as much as a thousand tokens. */
const rerankUsage = (body: Json): Usage | null => {
  const usage = promptUsage(body);
  if (usage !== null) return usage;
  const report = objectAt(body, 'meta');
  const tokens = objectAt(report, 'tokens')['input_tokens'] ?? 0;
  const units = numberAt(objectAt(report, 'billed_units'), 'search_units') ?? 0;
  const prompt = tokens === 0 ? units * tokensPerSearch : tokens;
  return prompt === 0 ? null : { prompt, completion: 0, total: prompt };
};

/** Sound goes on as it is; a vendor that fails with a success status says so in JSON. */
const speech = (traits: OpenAiTraits): Translation => ({
  ...endpoint(traits, { path: '/v1/audio/speech', list: '', usage: () => null }),
  response: (body) => {
    const parsed = body[0] === 0x7b ? parseJson(body.toString()) : null;
    const failure = isObject(parsed) ? (reportedFailure(parsed) ?? traits.failureIn?.(parsed) ?? null) : null;
    if (failure !== null) return { kind: 'failure', failure };
    if (body.length === 0) return { kind: 'failure', failure: badBody('the upstream answered without sound') };
    return { kind: 'answer', body, usage: null, output: () => '' };
  },
});

/** What OpenAI's vendors have beside conversations (provider notes 19.7, 19.10). */
export const openAiEndpoints = (traits: OpenAiTraits): Provider['native'] => ({
  'openai-embeddings': endpoint(traits, {
    path: embeddingsPath,
    list: 'data',
    usage: promptUsage,
    rewrite: packed,
  }),
  'openai-moderations': endpoint(traits, { path: '/v1/moderations', list: 'results', usage: promptUsage }),
  'openai-images': endpoint(traits, { path: '/v1/images/generations', list: 'data', usage: () => null }),
  'openai-image-edits': endpoint(traits, { path: '/v1/images/edits', list: 'data', usage: () => null }),
  'openai-image-variations': endpoint(traits, { path: '/v1/images/variations', list: 'data', usage: () => null }),
  'openai-speech': speech(traits),
  'openai-transcriptions': transcriptions(traits),
  'openai-translations': transcriptions(traits),
  rerank: endpoint(traits, { path: '/v1/rerank', list: 'results', usage: rerankUsage }),
});
