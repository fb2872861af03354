import { isObject, type Json, parseJson } from '../conversation/json.ts';
import type { Usage } from '../conversation/usage.ts';
import { badBody, reportedFailure } from './failure.ts';
import { usageOf } from './openai-output.ts';
import { openAiFailure, openAiRequest, type OpenAiTraits, renamed } from './openai-request.ts';
import type { ClientResponse, Provider, StreamTranslator, Translation } from './provider.ts';

/** Nothing streams here: an upstream that does so all the same has failed. */
const noStream = (): StreamTranslator => ({
  event: () => ({ forward: 'none', output: '', failure: badBody('the upstream answered with a stream') }),
  finished: () => false,
  lengthEnd: () => Buffer.alloc(0),
  terminator: () => Buffer.alloc(0),
});

interface Endpoint {
  /** The path to ask, whatever older one the client asked. */
  readonly path: string;
  /** The member that makes a body an answer: a list. */
  readonly list: string;
  usage(body: Json): Usage | null;
}

const readWhole = (body: Buffer, { list, usage }: Endpoint, { failureIn }: OpenAiTraits): ClientResponse => {
  const parsed = parseJson(body.toString());
  if (!isObject(parsed))
    return { kind: 'failure', failure: badBody('the upstream answered something that is no JSON object') };
  const failure = reportedFailure(parsed) ?? failureIn?.(parsed) ?? null;
  if (failure !== null) return { kind: 'failure', failure };
  if (!Array.isArray(parsed[list]))
    return { kind: 'failure', failure: badBody(`the upstream answered without ${list}`) };
  return { kind: 'answer', body, usage: usage(parsed), output: () => '' };
};

/** An endpoint whose requests and answers go on as they are. */
const endpoint = (traits: OpenAiTraits, facts: Endpoint): Translation => ({
  request: (call, channel) =>
    openAiRequest({ ...call, path: facts.path }, channel, traits, () => call.body(renamed(call, traits))),
  response: (body) => readWhole(body, facts, traits),
  stream: noStream,
  failure: (status, body) => openAiFailure(status, body, traits),
});

/** Embeddings put nothing out: some vendors say so, some leave it out, some report the sum alone. */
const promptUsage = (body: Json): Usage | null => {
  const usage = usageOf(body);
  return usage === null ? null : { ...usage, prompt: usage.prompt ?? usage.total, completion: 0 };
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
  'openai-embeddings': endpoint(traits, { path: '/v1/embeddings', list: 'data', usage: promptUsage }),
  'openai-moderations': endpoint(traits, { path: '/v1/moderations', list: 'results', usage: promptUsage }),
  'openai-images': endpoint(traits, { path: '/v1/images/generations', list: 'data', usage: () => null }),
  'openai-speech': speech(traits),
});
