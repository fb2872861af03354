import { vectorsOf } from '../../conversation/embeddings.ts';
import { objectAt, objectsAt } from '../../conversation/json.ts';
import { embedded, promptOnly } from '../embedded.ts';
import { geminiFailure, reportedGeminiFailure } from './gemini-failure.ts';
import { jsonBody } from '../json-events.ts';
import { noStream } from '../no-stream.ts';
import type {
  ChannelFault,
  Embedder,
  Provider,
  ProviderChannel,
  ProviderCall,
  Translation,
  UpstreamRequest,
} from '../provider.ts';

/** Builds the request of a method for a body. */
export type GeminiMethod = (
  call: ProviderCall,
  channel: ProviderChannel,
  method: string,
  body: Buffer,
) => UpstreamRequest | ChannelFault;

const textsMax = 100;

const usageIn = (body: Parameters<typeof objectAt>[0]) =>
  promptOnly(objectAt(body, 'usageMetadata')['promptTokenCount']);

/** Embeddings for clients of other dialects. Source: ai.google.dev, batchEmbedContents. */
export const geminiEmbedder = (build: GeminiMethod): Embedder => ({
  textsMax: () => textsMax,
  request: ({ texts, dimensions }, call, channel) => {
    const requests = texts.map((text) => ({
      model: `models/${call.model}`,
      content: { parts: [{ text }] },
      ...(dimensions !== null && { outputDimensionality: dimensions }),
    }));
    return build(call, channel, 'batchEmbedContents', Buffer.from(JSON.stringify({ requests })));
  },
  answer: (body) => {
    const read = jsonBody(body, reportedGeminiFailure);
    if (read.kind === 'refusal') return read;
    const vectors = vectorsOf(objectsAt(read.members, 'embeddings').map(({ values }) => values));
    return embedded(vectors, usageIn(read.members));
  },
  failure: geminiFailure,
});

/** Gemini's own requests are passed through. */
const passThrough = (build: GeminiMethod, method: string, member: string): Translation => ({
  request: (call, channel) => build(call, channel, method, call.body(call.redirected ? { model: call.model } : {})),
  response: (body) => {
    const read = jsonBody(body, reportedGeminiFailure);
    if (read.kind === 'refusal') return { kind: 'failure', failure: read.failure };
    const answered = embedded(member in read.members ? [[]] : null, null);
    if ('kind' in answered) return { kind: 'failure', failure: answered.failure };
    return { kind: 'answer', body, usage: usageIn(read.members), output: () => '' };
  },
  stream: noStream,
  failure: geminiFailure,
});

/** `embedContent` and `batchEmbedContents`, passed through. */
export const geminiEmbeddings = (build: GeminiMethod): Provider['native'] => ({
  'gemini-embed': passThrough(build, 'embedContent', 'embedding'),
  'gemini-batch-embed': passThrough(build, 'batchEmbedContents', 'embeddings'),
});
