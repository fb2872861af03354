import { vectorsOf } from '../../conversation/embeddings.ts';
import { objectAt, objectsAt } from '../../conversation/json.ts';
import { baiduFailure } from './baidu-failure.ts';
import { embedded, inOrder, promptOnly } from '../embedded.ts';
import { jsonBody } from '../json-events.ts';
import type { ChannelFault, Embedder, ProviderChannel, ProviderCall, UpstreamRequest } from '../provider.ts';

const textsMax = 16;

/** Paths have lower-case names, with underscores for the dashes of some models (provider notes 10.1). */
const endpointOf = (model: string): string => {
  const name = model.toLowerCase();
  return name === 'embedding-v1' ? name : name.replaceAll('-', '_');
};

/** Embeddings of the older API. Source: cloud.baidu.com, Wenxin workshop API reference. */
export const baiduEmbedder = (
  codec: Pick<Embedder, 'prerequisites' | 'failure'>,
  post: (call: ProviderCall, channel: ProviderChannel, path: string, body: object) => UpstreamRequest | ChannelFault,
): Embedder => ({
  ...codec,
  textsMax: () => textsMax,
  request: ({ texts }, call, channel) =>
    post(call, channel, `embeddings/${encodeURIComponent(endpointOf(call.model))}`, { input: texts }),
  answer: (body) => {
    const read = jsonBody(body, baiduFailure);
    if (read.kind === 'refusal') return read;
    const items = inOrder(objectsAt(read.members, 'data'), 'index');
    const { prompt_tokens: prompt, total_tokens: total } = objectAt(read.members, 'usage');
    return embedded(vectorsOf(items.map(({ embedding }) => embedding)), promptOnly(prompt ?? total));
  },
});
