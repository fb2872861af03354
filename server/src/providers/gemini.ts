import type { Conversation } from '../conversation/conversation.ts';
import { refusal } from './failure.ts';
import { geminiAnswer, geminiEvents } from './gemini-answer.ts';
import { UnfetchedError } from './gemini-contents.ts';
import { geminiFailure } from './gemini-failure.ts';
import { geminiBody } from './gemini-request.ts';
import type {
  ChannelFault,
  Codec,
  Provider,
  ProviderChannel,
  Refusal,
  RelayCall,
  UpstreamRequest,
} from './provider.ts';

const versionDefault = 'v1beta';

/** The path of a method of a model; the channel may name another version of the API. */
const methodPath = (call: RelayCall, { base, other }: ProviderChannel): string => {
  const version = base?.versioned ? '' : `/${other === '' ? versionDefault : encodeURIComponent(other)}`;
  const method = call.stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return `${base?.path ?? ''}${version}/models/${encodeURIComponent(call.model)}:${method}`;
};

/** A key may have been pasted with line breaks or characters that no header carries. */
const unsafeKey = /[^\t\x20-\x7e\x80-\xff]/;

const ask = (call: RelayCall, channel: ProviderChannel, body: Buffer): UpstreamRequest | ChannelFault => {
  if (channel.base === null) return { kind: 'fault', message: 'the channel has no valid base URL' };
  if (unsafeKey.test(channel.key)) {
    return { kind: 'fault', message: 'the channel has a key that cannot be sent in a header' };
  }
  return {
    origin: channel.base.origin,
    path: methodPath(call, channel),
    method: 'POST',
    headers: ['content-type', 'application/json', 'x-goog-api-key', channel.key],
    body,
  };
};

const request = (
  conversation: Conversation,
  call: RelayCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal => {
  try {
    return ask(call, channel, Buffer.from(JSON.stringify(geminiBody(conversation, call.model))));
  } catch (error) {
    if (error instanceof UnfetchedError) return refusal(error.message);
    throw error;
  }
};

const codec: Codec = { request, answer: geminiAnswer, events: geminiEvents, failure: geminiFailure };

/** Google Gemini's own API. Source: ai.google.dev, REST reference. */
export const gemini: Provider = { native: {}, codec };
