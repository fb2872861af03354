import type { Conversation } from '../../conversation/conversation.ts';
import { isObject, type Json, textAt } from '../../conversation/json.ts';
import { cohereAnswer, cohereEvents } from './cohere-answer.ts';
import { connectorsAnswer, connectorsBody, connectorsEvents, searchesWeb } from './cohere-connectors.ts';
import { cohereEmbedder, cohereRanks } from './cohere-endpoints.ts';
import { cohereBody } from './cohere-request.ts';
import { readFailure } from '../failure.ts';
import { listedAt, listRequest, namesIn, withCursor } from '../model-list.ts';
import type {
  ChannelFault,
  Codec,
  ModelListing,
  Provider,
  ProviderChannel,
  Refusal,
  ProviderCall,
  UpstreamRequest,
} from '../provider.ts';
import { unlessUnsupported } from '../unsupported-part.ts';
import { usableChannel } from '../usable-channel.ts';

const request = (
  conversation: Conversation,
  { model, stream }: ProviderCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  const web = searchesWeb(model);
  // A pasted base URL may end with a version.
  const root = usable.base.path.replace(/\/v\d+$/, '');
  return unlessUnsupported(() => ({
    origin: usable.base.origin,
    path: `${root}${web ? '/v1/chat' : '/v2/chat'}`,
    method: 'POST',
    headers: [
      'content-type',
      'application/json',
      'accept',
      stream ? 'text/event-stream' : 'application/json',
      'authorization',
      `Bearer ${usable.key}`,
    ],
    body: Buffer.from(JSON.stringify((web ? connectorsBody : cohereBody)(conversation, model, stream))),
  }));
};

const codec: Codec = {
  request,
  answer: (body, { model }) => (searchesWeb(model) ? connectorsAnswer(body) : cohereAnswer(body)),
  events: ({ model }) => (searchesWeb(model) ? connectorsEvents() : cohereEvents()),
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
};

const listedMax = 1000;
/** The endpoints that calls of the relay use. */
const served: ReadonlySet<unknown> = new Set(['chat', 'embed', 'rerank']);

const isServed = ({ endpoints }: Json): boolean =>
  !Array.isArray(endpoints) || endpoints.some((endpoint) => served.has(endpoint));

/** `GET /v1/models`. Source: docs.cohere.com, "List Models". */
const models: ModelListing = {
  request: (channel, page) => {
    const usable = usableChannel(channel);
    if (usable.kind === 'fault') return usable;
    const path = `${usable.base.path.replace(/\/v\d+$/, '')}/v1/models?page_size=${listedMax}`;
    return listRequest(usable.base, withCursor(path, 'page_token', page), ['authorization', `Bearer ${usable.key}`]);
  },
  read: (body) => {
    const listed = listedAt(body, 'models');
    if (listed === null || !isObject(body)) return null;
    return { names: namesIn(listed.filter(isServed), 'name'), next: textAt(body, 'next_page_token') };
  },
};

/** Cohere's own API. Source: docs.cohere.com, APIs v2, and v1 for the connectors of its chat. */
export const cohere: Provider = { native: cohereRanks, codec, embedder: cohereEmbedder, models };
