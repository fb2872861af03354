import type { BodyChanges } from '../../conversation/body-changes.ts';
import { parseJson } from '../../conversation/json.ts';
import { OpenAiForm } from './answer-form.ts';
import { fittedBody } from './fitted-body.ts';
import { readCompletion } from './openai-body.ts';
import { chatCodec } from './openai-chat-codec.ts';
import { openAiEmbedder } from './openai-embedder.ts';
import { openAiEndpoints } from './openai-endpoints.ts';
import { openAiModels } from './openai-models.ts';
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
import { openAiStream, usageFrom } from './openai-stream.ts';
import type {
  ClientResponse,
  Codec,
  CountedUsage,
  Provider,
  ProviderChannel,
  ProviderCall,
  Translation,
} from '../provider.ts';
import { responsesCodec } from './responses-codec.ts';

const changesFor = (call: ProviderCall, channel: ProviderChannel, traits: OpenAiTraits): BodyChanges => ({
  ...renamed(call, traits),
  ...(!call.includeUsage && requestsUsage(call, channel, traits) && { includeUsage: true }),
  ...(call.outputCap !== null && { outputLimit: { tokens: call.outputCap, member: limitMember(call, traits) } }),
});

/** The answer with a usage at its end. */
const withUsage = (body: Buffer, usage: CountedUsage): Buffer => {
  const end = body.lastIndexOf('}');
  const member = Buffer.from(`,"usage":${JSON.stringify(usageFrom(usage))}`);
  return Buffer.concat([body.subarray(0, end), member, body.subarray(end)]);
};

const response = (body: Buffer, call: ProviderCall, traits: OpenAiTraits): ClientResponse => {
  // The body itself is passed on: its numbers need no care.
  const completion = readCompletion(parseJson(body.toString()), traits);
  if (completion.kind === 'refusal') return { kind: 'failure', failure: completion.failure };
  const usage = traits.usageIsDummy ? null : usageOf(completion.members);
  const text = new OpenAiForm(call, traits.isNameless).of(completion.members, () => body.toString());
  const answer = text === null ? body : Buffer.from(text);
  return {
    kind: 'answer',
    body: answer,
    usage,
    output: () => outputOf(completion.members),
    ...(completion.members['usage'] === undefined && { withUsage: (counted) => withUsage(answer, counted) }),
  };
};

/** Chat completions are passed through. */
const chat = (traits: OpenAiTraits): Translation => ({
  request: (call, channel) => {
    const body = call.body(changesFor(call, channel, traits));
    const fitted = call.format === 'openai-chat' ? fittedBody(body, call, channel, traits) : body;
    return Buffer.isBuffer(fitted) ? openAiRequest(call, channel, traits, () => fitted) : fitted;
  },
  response: (body, call) => response(body, call, traits),
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
  ...(traits.models !== false && { models: openAiModels(traits.models ?? {}) }),
});
