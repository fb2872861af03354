import { vectorsOf } from '../../conversation/embeddings.ts';
import { objectAt, objectsAt } from '../../conversation/json.ts';
import { embedded, inOrder, promptOnly } from '../embedded.ts';
import { readFailure } from '../failure.ts';
import { jsonBody } from '../json-events.ts';
import type { ChannelFault, Embedder, ProviderChannel, ProviderCall, UpstreamRequest } from '../provider.ts';
import { tencentFailure } from './tencent-failure.ts';

const textsMax = 50;

/** Embeddings of the signed API; the vendor has one model for them. Source: Tencent Cloud API 3.0, Hunyuan GetEmbedding. */
export const tencentEmbedder = (
  signedRequest: (
    call: ProviderCall,
    channel: ProviderChannel,
    action: string,
    members: object,
  ) => UpstreamRequest | ChannelFault,
): Embedder => ({
  textsMax: () => textsMax,
  request: ({ texts }, call, channel) => signedRequest(call, channel, 'GetEmbedding', { InputList: texts }),
  answer: (body) => {
    const read = jsonBody(body, tencentFailure);
    if (read.kind === 'refusal') return read;
    const response = objectAt(read.members, 'Response');
    const items = inOrder(objectsAt(response, 'Data'), 'Index');
    const { PromptTokens: prompt, TotalTokens: total } = objectAt(response, 'Usage');
    return embedded(vectorsOf(items.map(({ Embedding }) => Embedding)), promptOnly(prompt ?? total));
  },
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
});
