import { packVector, unpackVector, vectorOf, vectorsOf } from '../../conversation/embeddings.ts';
import { isObject, type Json, objectsAt } from '../../conversation/json.ts';
import type { Usage } from '../../conversation/usage.ts';
import { embedded, inOrder } from '../embedded.ts';
import { reportedFailure } from '../failure.ts';
import { jsonBody } from '../json-events.ts';
import { usageOf } from './openai-output.ts';
import { openAiFailure, openAiRequest, type OpenAiTraits } from './openai-request.ts';
import type { Embedder, ProviderCall } from '../provider.ts';

const textsMax = 2048;
export const embeddingsPath = '/v1/embeddings';

/** Embeddings have no output tokens: vendors report zero, nothing, or only the total. */
export const promptUsage = (body: Json): Usage | null => {
  const usage = usageOf(body);
  return usage === null ? null : { ...usage, prompt: usage.prompt ?? usage.total, completion: 0 };
};

/** The vectors of a list in OpenAI's format, in the order of their texts; null: an item is no vector. */
const vectorsIn = (body: Json): readonly (readonly number[])[] | null => {
  const items = inOrder(objectsAt(body, 'data'), 'index');
  return vectorsOf(items.map(({ embedding }) => (typeof embedding === 'string' ? unpackVector(embedding) : embedding)));
};

/** Some vendors return numbers for any `encoding_format`; clients that requested base64 would misread them. */
export const packed = (body: Buffer, members: Json, call: ProviderCall): Buffer => {
  const { data } = members;
  const isPlain = (item: unknown): boolean => isObject(item) && Array.isArray(item['embedding']);
  if (!Array.isArray(data) || !data.some(isPlain)) return body;
  const requested = call.embeddings();
  if ('kind' in requested || !requested.packed) return body;
  const repacked = data.map((item: unknown) => {
    const vector = isObject(item) ? vectorOf(item['embedding']) : null;
    return isObject(item) && vector !== null ? { ...item, embedding: packVector(vector) } : item;
  });
  return Buffer.from(JSON.stringify({ ...members, data: repacked }));
};

/** Embeddings of vendors of OpenAI's format, for clients of other dialects. */
export const openAiEmbedder = (traits: OpenAiTraits): Embedder => ({
  textsMax: () => textsMax,
  request: ({ texts, dimensions }, call, channel) => {
    const model = traits.modelName?.(call.model) ?? call.model;
    const body = { model, input: texts, encoding_format: 'float', ...(dimensions !== null && { dimensions }) };
    const requested = { ...call, path: embeddingsPath, query: '', contentType: '', accept: '' };
    return openAiRequest(requested, channel, traits, () => Buffer.from(JSON.stringify(body)));
  },
  answer: (body) => {
    const read = jsonBody(body, (members) => reportedFailure(members) ?? traits.failureIn?.(members) ?? null);
    if (read.kind === 'refusal') return read;
    return embedded(vectorsIn(read.members), promptUsage(read.members));
  },
  failure: (status, body) => openAiFailure(status, body, traits),
});
