import type { BodyChanges } from '../conversation/body-changes.ts';
import { readCompletion } from './openai-body.ts';
import { chatCodec } from './openai-chat-codec.ts';
import { openAiEmbedder } from './openai-embedder.ts';
import { openAiEndpoints } from './openai-endpoints.ts';
import { outputOf, usageOf } from './openai-output.ts';
import { asksUsage, limitMember, openAiFailure, openAiRequest, type OpenAiTraits, renamed } from './openai-request.ts';
import { openAiRealtime } from './openai-realtime.ts';
import { responsesNative } from './openai-responses.ts';
import { openAiStream } from './openai-stream.ts';
import type { ClientResponse, Provider, ProviderChannel, RelayCall, Translation } from './provider.ts';

const changesFor = (call: RelayCall, channel: ProviderChannel, traits: OpenAiTraits): BodyChanges => ({
  ...renamed(call, traits),
  ...(!call.includeUsage && asksUsage(call, channel, traits) && { includeUsage: true }),
  ...(call.outputCap !== null && { outputLimit: { tokens: call.outputCap, member: limitMember(call, traits) } }),
});

const response = (body: Buffer, traits: OpenAiTraits): ClientResponse => {
  const completion = readCompletion(body, traits);
  if (completion.kind === 'refusal') return { kind: 'failure', failure: completion.failure };
  const usage = traits.usageIsDummy ? null : usageOf(completion.members);
  return { kind: 'answer', body, usage, output: () => outputOf(completion.members) };
};

/** Chat completions go as the client wrote them. */
const chat = (traits: OpenAiTraits): Translation => ({
  request: (call, channel) => openAiRequest(call, channel, traits, () => call.body(changesFor(call, channel, traits))),
  response: (body) => response(body, traits),
  stream: (call) => openAiStream(call, traits),
  failure: (status, body) => openAiFailure(status, body, traits),
});

/** Completions have the frame of chat completions, and one name for the limit of their output. */
const completions = (traits: OpenAiTraits): Translation => chat({ ...traits, limitMember: 'max_tokens' });

const responses = (traits: OpenAiTraits): Translation => ({
  ...responsesNative(traits),
  ...(traits.responses === 'perhaps' && { only: (call) => 'kind' in call.conversation() }),
});

/** A provider whose wire format is OpenAI's, but for the traits. */
export const openAiCompatible = (traits: OpenAiTraits = {}): Provider => ({
  native: {
    'openai-chat': chat(traits),
    ...(traits.chatOnly !== true && { 'openai-completions': completions(traits), ...openAiEndpoints(traits) }),
    ...(traits.realtimePath !== undefined && { 'openai-realtime': openAiRealtime(traits, traits.realtimePath) }),
    ...(traits.responses !== undefined && { 'openai-responses': responses(traits) }),
  },
  codec: chatCodec(traits),
  ...(traits.chatOnly !== true && { embedder: openAiEmbedder(traits) }),
});
