import { vectorsOf } from '../../conversation/embeddings.ts';
import { objectAt } from '../../conversation/json.ts';
import { embedded, promptOnly } from '../embedded.ts';
import { readFailure } from '../failure.ts';
import { jsonBody } from '../json-events.ts';
import { openAiEndpoints } from '../openai/openai-endpoints.ts';
import type { BaseUrl, ChannelFault, Embedder, Provider, ProviderChannel, UpstreamRequest } from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

/** The path of the second API version, whatever version a pasted base URL ends with. */
const pathBelow = ({ path }: Pick<BaseUrl, 'path'>, rest: string): string => `${path.replace(/\/v\d+$/, '')}/v2${rest}`;

const { rerank } = openAiEndpoints({ path: (_, { base }) => pathBelow(base ?? { path: '' }, '/rerank') });

/** Ranks, whose form is Cohere's own. */
export const cohereRanks: Provider['native'] = rerank === undefined ? {} : { rerank };

const textsMax = 96;

const post = (channel: ProviderChannel, body: object): UpstreamRequest | ChannelFault => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  return {
    origin: usable.base.origin,
    path: pathBelow(usable.base, '/embed'),
    method: 'POST',
    headers: ['content-type', 'application/json', 'authorization', `Bearer ${usable.key}`],
    body: Buffer.from(JSON.stringify(body)),
  };
};

/** Embeddings. Source: docs.cohere.com, Embed API v2. */
export const cohereEmbedder: Embedder = {
  textsMax: () => textsMax,
  request: ({ texts, dimensions }, { model }, channel) =>
    post(channel, {
      model,
      texts,
      input_type: 'search_document',
      embedding_types: ['float'],
      ...(dimensions !== null && { output_dimension: dimensions }),
    }),
  answer: (body) => {
    const read = jsonBody(body, () => null);
    if (read.kind === 'refusal') return read;
    const { input_tokens: tokens } = objectAt(objectAt(read.members, 'meta'), 'billed_units');
    return embedded(vectorsOf(objectAt(read.members, 'embeddings')['float']), promptOnly(tokens));
  },
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
};
