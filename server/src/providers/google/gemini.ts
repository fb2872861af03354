import { refusal } from '../failure.ts';
import { geminiAnswer, geminiEvents, onlyCandidate } from './gemini-answer.ts';
import { isForeign, UnfetchedError } from './gemini-contents.ts';
import { geminiEmbedder, geminiEmbeddings, type GeminiMethod } from './gemini-embedder.ts';
import { geminiFailure } from './gemini-failure.ts';
import { type GeminiRequestBuilder, geminiNative } from './gemini-native.ts';
import { geminiBody } from './gemini-request.ts';
import type { BaseUrl, Codec, Provider } from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

const versionDefault = 'v1beta';

/** The path of a method of a model; the channel may set another API version. */
const methodPath = (model: string, method: string, base: BaseUrl, other: string): string => {
  const version = base.versioned ? '' : `/${other === '' ? versionDefault : encodeURIComponent(other)}`;
  return `${base.path}${version}/models/${encodeURIComponent(model)}:${method}`;
};

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

/** Google Gemini's own API. Source: ai.google.dev, REST reference. */
export const gemini: Provider = {
  native: { ...geminiNative(build), ...geminiEmbeddings(methodRequest) },
  codec: geminiCodec,
  embedder: geminiEmbedder(methodRequest),
};
