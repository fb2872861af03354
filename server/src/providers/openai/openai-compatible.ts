import type { BodyChanges } from '../../conversation/body-changes.ts';
import { withOpenAiReasons } from './finish-reasons.ts';
import { readCompletion } from './openai-body.ts';
import { chatCodec } from './openai-chat-codec.ts';
import { openAiEmbedder } from './openai-embedder.ts';
import { openAiEndpoints } from './openai-endpoints.ts';
import { outputOf, usageOf } from './openai-output.ts';
import {
  requestsUsage,
  limitMember,
  openAiFailure,
  openAiRequest,
  type OpenAiTraits,
  renamed,
} from './openai-request.ts';
import { openAiRealtime } from './openai-realtime.ts';
import { responsesNative } from './openai-responses.ts';
import { openAiStream } from './openai-stream.ts';
import type { ClientResponse, Codec, Provider, ProviderChannel, ProviderCall, Translation } from '../provider.ts';
import { responsesCodec } from './responses-codec.ts';

const changesFor = (call: ProviderCall, channel: ProviderChannel, traits: OpenAiTraits): BodyChanges => ({
  ...renamed(call, traits),
  ...(!call.includeUsage && requestsUsage(call, channel, traits) && { includeUsage: true }),
  ...(call.outputCap !== null && { outputLimit: { tokens: call.outputCap, member: limitMember(call, traits) } }),
});

const response = (body: Buffer, traits: OpenAiTraits): ClientResponse => {
  const completion = readCompletion(body, traits);
  if (completion.kind === 'refusal') return { kind: 'failure', failure: completion.failure };
  const usage = traits.usageIsDummy ? null : usageOf(completion.members);
  const text = withOpenAiReasons(completion.members, () => body.toString());
  const answer = text === null ? body : Buffer.from(text);
  return { kind: 'answer', body: answer, usage, output: () => outputOf(completion.members) };
};

/** Chat completions are passed through. */
const chat = (traits: OpenAiTraits): Translation => ({
  request: (call, channel) => openAiRequest(call, channel, traits, () => call.body(changesFor(call, channel, traits))),
  response: (body) => response(body, traits),
  stream: (call) => openAiStream(call, traits),
  failure: (status, body) => openAiFailure(status, body, traits),
});

/** Legacy completions share the envelope of chat completions, and have one name for the output limit. */
const completions = (traits: OpenAiTraits): Translation => chat({ ...traits, limitMember: 'max_tokens' });

const responses = (traits: OpenAiTraits): Translation => {
  const { responses: taken, responsesOnly } = traits;
  const only = (call: ProviderCall) => responsesOnly?.(call) === true || 'kind' in call.conversation();
  return { ...responsesNative(traits), ...(taken === 'sometimes' && { only }) };
};

/** Chat and legacy completions, except for models that have only responses. */
const unlessResponse = (translation: Translation, { responsesOnly }: OpenAiTraits): Translation =>
  responsesOnly === undefined ? translation : { ...translation, only: (call) => !responsesOnly(call) };

/** Conversations of other dialects: as chat completions, or as responses for models that have nothing else. */
const codecOf = (traits: OpenAiTraits): Codec => {
  const completed = chatCodec(traits);
  const { responsesOnly } = traits;
  if (responsesOnly === undefined) return completed;
  const responded = responsesCodec(traits);
  const codecFor = (call: ProviderCall) => (responsesOnly(call) ? responded : completed);
  return {
    ...completed,
    request: (conversation, call, channel) => codecFor(call).request(conversation, call, channel),
    answer: (body, call) => codecFor(call).answer(body, call),
    events: (call) => codecFor(call).events(call),
  };
};

/** A provider whose wire format is OpenAI's, except for the traits. */
export const openAiCompatible = (traits: OpenAiTraits = {}): Provider => ({
  native: {
    'openai-chat': unlessResponse(chat(traits), traits),
    ...(traits.chatOnly !== true && {
      'openai-completions': unlessResponse(completions(traits), traits),
      ...openAiEndpoints(traits),
    }),
    ...(traits.realtimePath !== undefined && { 'openai-realtime': openAiRealtime(traits, traits.realtimePath) }),
    ...(traits.responses !== undefined && { 'openai-responses': responses(traits) }),
  },
  codec: codecOf(traits),
  ...(traits.chatOnly !== true && { embedder: openAiEmbedder(traits) }),
});
