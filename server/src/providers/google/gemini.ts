import { isObject, type Json, textAt } from '../../conversation/json.ts';
import { refusal } from '../failure.ts';
import { geminiAnswer, geminiEvents, onlyCandidate } from './gemini-answer.ts';
import { isForeign, UnfetchedError } from './gemini-contents.ts';
import { geminiEmbedder, geminiEmbeddings, type GeminiMethod } from './gemini-embedder.ts';
import { geminiFailure } from './gemini-failure.ts';
import { type GeminiRequestBuilder, geminiNative } from './gemini-native.ts';
import { geminiBody } from './gemini-request.ts';
import { listedAt, listRequest, namesIn, withCursor } from '../model-list.ts';
import type { BaseUrl, Codec, ModelListing, Provider } from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

const versionDefault = 'v1beta';

/** The path of the models; the channel may set another API version. */
const modelsPath = (base: BaseUrl, other: string): string =>
  `${base.path}${base.versioned ? '' : `/${other === '' ? versionDefault : encodeURIComponent(other)}`}/models`;

const methodPath = (model: string, method: string, base: BaseUrl, other: string): string =>
  `${modelsPath(base, other)}/${encodeURIComponent(model)}:${method}`;

const methodRequest: GeminiMethod = (call, channel, method, body) => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  return {
    origin: usable.base.origin,
    path: methodPath(call.model, method, usable.base, usable.other),
    method: 'POST',
    headers: ['content-type', 'application/json', 'x-goog-api-key', usable.key],
    body,
  };
};

/** Requests of `generateContent`, whole or streamed, by a function that builds the request of a method. */
export const geminiRequest =
  (method: GeminiMethod): GeminiRequestBuilder =>
  (call, channel, body) =>
    method(call, channel, call.stream ? 'streamGenerateContent?alt=sse' : 'generateContent', body);

/** Source: `GenerationConfig.candidateCount`. */
const candidatesMax = 8;

/** The codec of Gemini's conversations. */
export const geminiCodecOf = (build: GeminiRequestBuilder): Codec => ({
  prerequisites: { byValue: isForeign },
  passesTexts: true,
  choices: { max: candidatesMax, only: onlyCandidate },
  request: (conversation, call, channel) => {
    try {
      return build(call, channel, Buffer.from(JSON.stringify(geminiBody(conversation, call.model, call.choices))));
    } catch (error) {
      if (error instanceof UnfetchedError) return refusal(error.message);
      throw error;
    }
  },
  answer: geminiAnswer,
  events: geminiEvents,
  failure: geminiFailure,
});

const build = geminiRequest(methodRequest);

/** The codec of Google's own API. */
export const geminiCodec = geminiCodecOf(build);

const listedMax = 1000;
/** The methods that calls of the relay use. */
const served: ReadonlySet<unknown> = new Set(['generateContent', 'embedContent', 'batchEmbedContents']);

const isServed = ({ supportedGenerationMethods: methods }: Json): boolean =>
  !Array.isArray(methods) || methods.some((method) => served.has(method));

/** `models.list`. Source: ai.google.dev, REST reference. */
const models: ModelListing = {
  request: (channel, page) => {
    const usable = usableChannel(channel);
    if (usable.kind === 'fault') return usable;
    const path = withCursor(`${modelsPath(usable.base, usable.other)}?pageSize=${listedMax}`, 'pageToken', page);
    return listRequest(usable.base, path, ['x-goog-api-key', usable.key]);
  },
  read: (body) => {
    const listed = listedAt(body, 'models');
    if (listed === null || !isObject(body)) return null;
    const names = namesIn(listed.filter(isServed), 'name').map((name) => name.replace(/^models\//, ''));
    return { names, next: textAt(body, 'nextPageToken') };
  },
};

/** Google Gemini's own API. Source: ai.google.dev, REST reference. */
export const gemini: Provider = {
  native: { ...geminiNative(build), ...geminiEmbeddings(methodRequest) },
  codec: geminiCodec,
  embedder: geminiEmbedder(methodRequest),
  models,
};
