import { vectorsOf } from '../../conversation/embeddings.ts';
import { isObject, type Json, numberAt, objectAt, objectsAt, parseJson } from '../../conversation/json.ts';
import { aliFailure } from './ali-failure.ts';
import { embedded, inOrder, promptOnly } from '../embedded.ts';
import { badBody, readFailure, refusal } from '../failure.ts';
import { jsonBody } from '../json-events.ts';
import { noStream } from '../no-stream.ts';
import type {
  ChannelFault,
  Embedder,
  ProviderChannel,
  RelayFailure,
  Translation,
  UpstreamRequest,
} from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

const embeddingsPath = '/api/v1/services/embeddings/text-embedding/text-embedding';
const rerankPath = '/api/v1/services/rerank/text-rerank/text-rerank';

/** A body of a failure status. */
export const readAliFailure = (status: number, body: Buffer): RelayFailure => {
  const text = body.toString('utf8', 0, 16_384);
  const parsed = parseJson(text);
  return (isObject(parsed) ? aliFailure(parsed, status) : null) ?? readFailure(status, text);
};

const post = (channel: ProviderChannel, path: string, body: object): UpstreamRequest | ChannelFault => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  return {
    origin: usable.base.origin,
    path: usable.base.path + path,
    method: 'POST',
    headers: ['content-type', 'application/json', 'authorization', `Bearer ${usable.key}`],
    body: Buffer.from(JSON.stringify(body)),
  };
};

/** Embeddings of the native API. Source: Model Studio, text embedding API reference. */
export const aliEmbedder: Embedder = {
  textsMax: (model) => (/-v[12]$/.test(model) ? 25 : 10),
  request: ({ texts, dimensions }, { model }, channel) =>
    post(channel, embeddingsPath, {
      model,
      input: { texts },
      parameters: { text_type: 'document', ...(dimensions !== null && { dimension: dimensions }) },
    }),
  answer: (body) => {
    const read = jsonBody(body, aliFailure);
    if (read.kind === 'refusal') return read;
    const items = inOrder(objectsAt(objectAt(read.members, 'output'), 'embeddings'), 'text_index');
    const vectors = vectorsOf(items.map(({ embedding }) => embedding));
    return embedded(vectors, promptOnly(objectAt(read.members, 'usage')['total_tokens']));
  },
  failure: readAliFailure,
};

const documentsOf = (documents: unknown): readonly unknown[] =>
  Array.isArray(documents)
    ? documents.map((item: unknown) => (isObject(item) && typeof item['text'] === 'string' ? item['text'] : item))
    : [];

const parametersOf = (requested: Json): Json => {
  const top = numberAt(requested, 'top_n');
  return { return_documents: requested['return_documents'] === true, ...(top !== null && { top_n: top }) };
};

/** Reranking by the native API, answered in the client's format. Source: Model Studio, text rerank API reference. */
export const aliRerank: Translation = {
  request: (call, channel) => {
    const requested = parseJson(call.body({}).toString());
    if (!isObject(requested)) return refusal('the body must be a JSON object');
    const input = { query: requested['query'], documents: documentsOf(requested['documents']) };
    return post(channel, rerankPath, { model: call.model, input, parameters: parametersOf(requested) });
  },
  response: (body, call) => {
    const read = jsonBody(body, aliFailure);
    if (read.kind === 'refusal') return { kind: 'failure', failure: read.failure };
    const { results } = objectAt(read.members, 'output');
    if (!Array.isArray(results)) return { kind: 'failure', failure: badBody('the upstream response has no results') };
    const { total_tokens: tokens } = objectAt(read.members, 'usage');
    const answer = {
      id: read.members['request_id'],
      model: call.requestedModel,
      results,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
    return {
      kind: 'answer',
      body: Buffer.from(JSON.stringify(answer)),
      contentType: 'application/json',
      usage: promptOnly(tokens),
      output: () => '',
    };
  },
  stream: noStream,
  failure: readAliFailure,
};
