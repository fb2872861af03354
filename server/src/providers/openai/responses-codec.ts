import { openAiFailure, openAiRequest, type OpenAiTraits } from './openai-request.ts';
import type { Codec, ProviderChannel, ProviderCall } from '../provider.ts';
import { responseEvents } from './responses-events.ts';
import { answerOf, readResponse } from './responses-output.ts';
import { responseBody } from './responses-request.ts';

/** The name of the model in a vendor's responses API. */
export const responseModel = (call: ProviderCall, channel: ProviderChannel, traits: OpenAiTraits): string =>
  traits.responseModel?.(call, channel) ?? call.model;

/** The call as if its client had used the responses API. */
const asResponse = (call: ProviderCall): ProviderCall => ({
  ...call,
  path: '/v1/responses',
  query: '',
  contentType: '',
  accept: '',
});

/** Conversations of any dialect as responses. */
export const responsesCodec = (traits: OpenAiTraits): Codec => ({
  request: (conversation, call, channel) =>
    openAiRequest(asResponse(call), channel, traits, () => {
      const model = responseModel(call, channel, traits);
      return Buffer.from(JSON.stringify(responseBody({ conversation, model, stream: call.stream })));
    }),
  answer: (body) => {
    const read = readResponse(body);
    return read.kind === 'refusal' ? read : answerOf(read.members);
  },
  events: responseEvents,
  failure: (status, body) => openAiFailure(status, body, traits),
});
