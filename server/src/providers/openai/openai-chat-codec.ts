import { parseExact } from '../../conversation/exact-numbers.ts';
import { isMoreThanText } from '../../conversation/text.ts';
import { refusal } from '../failure.ts';
import { readCompletion } from './openai-body.ts';
import { chatAnswer } from './openai-chat-answer.ts';
import { chatEvents } from './openai-chat-events.ts';
import { chatBody } from './openai-chat-request.ts';
import { requestsUsage, limitMember, openAiFailure, openAiRequest, type OpenAiTraits } from './openai-request.ts';
import type { Codec, ProviderCall } from '../provider.ts';

/** The call as if its client had requested a chat completion. */
const asChat = (call: ProviderCall): ProviderCall => ({
  ...call,
  path: '/v1/chat/completions',
  query: '',
  contentType: '',
  accept: '',
});

/** Conversations of any dialect as chat completions. */
export const chatCodec = (traits: OpenAiTraits): Codec => ({
  passesTexts: true,
  request: (conversation, call, channel) => {
    if (traits.textOnly && conversation.turns.some(isMoreThanText)) return refusal('this channel takes text only');
    return openAiRequest(asChat(call), channel, traits, () => {
      const { stream } = call;
      const model = traits.modelName?.(call.model) ?? call.model;
      const body = chatBody({ conversation, model, stream, limitMember: limitMember(call, traits), traits });
      const options = requestsUsage(call, channel, traits) ? { stream_options: { include_usage: true } } : {};
      return Buffer.from(JSON.stringify({ ...body, ...options }));
    });
  },
  answer: (body) => {
    const completion = readCompletion(parseExact(body.toString()), traits);
    return completion.kind === 'refusal' ? completion : chatAnswer(completion.members, traits.usageIsDummy === true);
  },
  events: () => chatEvents(traits),
  failure: (status, body) => openAiFailure(status, body, traits),
});
