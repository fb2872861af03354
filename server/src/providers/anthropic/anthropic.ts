import { anthropicAnswer } from './anthropic-answer.ts';
import { anthropicEvents } from './anthropic-events.ts';
import { anthropicFailure } from './anthropic-failure.ts';
import { anthropicCount, anthropicHeaders, anthropicNative, type AnthropicTraits } from './anthropic-native.ts';
import { anthropicBody, callAnswersByTool } from './anthropic-request.ts';
import { joinPath } from '../base-url.ts';
import type { Codec, Provider } from '../provider.ts';
import { unlessUnsupported } from '../unsupported-part.ts';
import { usableChannel } from '../usable-channel.ts';

const traits: AnthropicTraits = {
  path: (call, base) => joinPath(base, '/v1', '/messages') + (call.format.startsWith('anthropic') ? call.query : ''),
  // Subscription tokens are bearer tokens; API keys have a header of their own.
  headers: (_, { key }) => (key.startsWith('sk-ant-oat') ? ['authorization', `Bearer ${key}`] : ['x-api-key', key]),
};

const codec: Codec = {
  passesTexts: true,
  request: (conversation, call, channel) => {
    const usable = usableChannel(channel);
    if (usable.kind === 'fault') return usable;
    return unlessUnsupported(() => ({
      origin: usable.base.origin,
      path: traits.path(call, usable.base),
      method: 'POST',
      headers: [...anthropicHeaders(call), ...traits.headers(call, channel)],
      body: Buffer.from(JSON.stringify(anthropicBody(conversation, call))),
    }));
  },
  answer: (body, call) => anthropicAnswer(body, callAnswersByTool(call)),
  events: (call) => anthropicEvents(callAnswersByTool(call)),
  failure: anthropicFailure,
};

/** Anthropic's Messages API (provider notes 5). */
export const anthropic: Provider = {
  native: { 'anthropic-messages': anthropicNative(traits), 'anthropic-count': anthropicCount(traits) },
  codec,
};
