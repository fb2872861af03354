import { vectorsOf } from '../../conversation/embeddings.ts';
import { embedded, promptOnly } from '../embedded.ts';
import { readFailure, reportedFailure } from '../failure.ts';
import { jsonBody } from '../json-events.ts';
import type { ChannelFault, Embedder, ProviderChannel, UpstreamRequest } from '../provider.ts';

const textsMax = 512;

/** `POST /api/embed`. Source: github.com/ollama/ollama, docs/api.md. */
export const ollamaEmbedder = (
  post: (channel: ProviderChannel, path: string, body: object) => UpstreamRequest | ChannelFault,
): Embedder => ({
  textsMax: () => textsMax,
  request: ({ texts, dimensions }, { model }, channel) =>
    post(channel, '/api/embed', { model, input: texts, ...(dimensions !== null && { dimensions }) }),
  answer: (body) => {
    const read = jsonBody(body, reportedFailure);
    if (read.kind === 'refusal') return read;
    return embedded(vectorsOf(read.members['embeddings']), promptOnly(read.members['prompt_eval_count']));
  },
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
});
