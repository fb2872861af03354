import { vectorsOf } from '../../conversation/embeddings.ts';
import { embedded, promptOnly } from '../embedded.ts';
import { jsonBody } from '../json-events.ts';
import { miniMaxFailure } from './minimax.ts';
import { openAiFailure, openAiRequest, type OpenAiTraits } from '../openai/openai-request.ts';
import type { Embedder } from '../provider.ts';

const textsMax = 512;

/** Embeddings in the vendor's own form at OpenAI's path. Source: MiniMax, embeddings API reference. */
export const miniMaxEmbedder = (traits: OpenAiTraits): Embedder => ({
  textsMax: () => textsMax,
  request: ({ texts }, call, channel) => {
    const asked = { ...call, path: '/v1/embeddings', query: '', contentType: '', accept: '' };
    const body = { model: call.model, texts, type: 'db' };
    return openAiRequest(asked, channel, traits, () => Buffer.from(JSON.stringify(body)));
  },
  answer: (body) => {
    const read = jsonBody(body, miniMaxFailure);
    if (read.kind === 'refusal') return read;
    return embedded(vectorsOf(read.members['vectors']), promptOnly(read.members['total_tokens']));
  },
  failure: (status, body) => openAiFailure(status, body, traits),
});
