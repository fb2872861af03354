import type { Conversation } from '../../conversation/conversation.ts';
import { vectorsOf } from '../../conversation/embeddings.ts';
import { embedded, promptOnly } from '../embedded.ts';
import { readFailure, reportedFailure } from '../failure.ts';
import { jsonBody } from '../json-events.ts';
import { lastPage, listedAt, listRequest, namesIn } from '../model-list.ts';
import { ollamaAnswer, ollamaEvents } from './ollama-answer.ts';
import { ollamaBody } from './ollama-request.ts';
import type {
  ModelListing,
  ChannelFault,
  Codec,
  Embedder,
  Provider,
  ProviderChannel,
  Refusal,
  ProviderCall,
  UpstreamRequest,
} from '../provider.ts';
import { unlessUnsupported } from '../unsupported-part.ts';
import { usableChannel } from '../usable-channel.ts';

/** A self-hosted server has no key; consoles require one, so operators enter the vendor's name. */
const keyless = new Set(['', 'ollama']);

const authorization = (key: string): readonly string[] => (keyless.has(key) ? [] : ['authorization', `Bearer ${key}`]);

const post = (channel: ProviderChannel, path: string, body: object): UpstreamRequest | ChannelFault => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  const { base, key } = usable;
  return {
    origin: base.origin,
    path: base.path + path,
    method: 'POST',
    headers: ['content-type', 'application/json', ...authorization(key)],
    body: Buffer.from(JSON.stringify(body)),
  };
};

const request = (
  conversation: Conversation,
  call: ProviderCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal =>
  unlessUnsupported(() => post(channel, '/api/chat', ollamaBody(conversation, call.model, call.stream)));

const codec: Codec = {
  framing: 'lines',
  prerequisites: { byValue: () => true },
  request,
  answer: ollamaAnswer,
  events: ollamaEvents,
  failure: (status, body) => {
    const failure = readFailure(status, body.toString('utf8', 0, 16_384));
    // Status 404 always means a missing model.
    return status === 404 ? { ...failure, error: { ...failure.error, code: 'model_not_found' } } : failure;
  },
};

const textsMax = 512;

/** `POST /api/embed`. Source: github.com/ollama/ollama, docs/api.md. */
const embedder: Embedder = {
  textsMax: () => textsMax,
  request: ({ texts, dimensions }, { model }, channel) =>
    post(channel, '/api/embed', { model, input: texts, ...(dimensions !== null && { dimensions }) }),
  answer: (body) => {
    const read = jsonBody(body, reportedFailure);
    if (read.kind === 'refusal') return read;
    return embedded(vectorsOf(read.members['embeddings']), promptOnly(read.members['prompt_eval_count']));
  },
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
};

/** `GET /api/tags`: the models that the server has. */
const models: ModelListing = {
  request: (channel) => {
    const usable = usableChannel(channel);
    if (usable.kind === 'fault') return usable;
    return listRequest(usable.base, `${usable.base.path}/api/tags`, authorization(usable.key));
  },
  read: (body) => {
    const listed = listedAt(body, 'models');
    return listed === null ? null : lastPage(namesIn(listed, 'name'));
  },
};

/** Ollama's own API. Source: github.com/ollama/ollama, docs/api.md. */
export const ollama: Provider = { native: {}, codec, embedder, models };
