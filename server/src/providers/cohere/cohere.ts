import type { Conversation } from '../../conversation/conversation.ts';
import { cohereAnswer, cohereEvents } from './cohere-answer.ts';
import { connectorsAnswer, connectorsBody, connectorsEvents, searchesWeb } from './cohere-connectors.ts';
import { cohereEmbedder, cohereRanks } from './cohere-endpoints.ts';
import { cohereBody } from './cohere-request.ts';
import { readFailure } from '../failure.ts';
import type {
  ChannelFault,
  Codec,
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

/** Cohere's own API. Source: docs.cohere.com, APIs v2, and v1 for the connectors of its chat. */
export const cohere: Provider = { native: cohereRanks, codec, embedder: cohereEmbedder };
