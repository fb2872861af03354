import { isObject, textAt } from '../../conversation/json.ts';
import { anthropicAnswer } from './anthropic-answer.ts';
import { anthropicEvents } from './anthropic-events.ts';
import { anthropicFailure } from './anthropic-failure.ts';
import {
  anthropicCount,
  anthropicHeaders,
  anthropicNative,
  type AnthropicTraits,
  defaultVersion,
} from './anthropic-native.ts';
import { anthropicBody, callAnswersByTool } from './anthropic-request.ts';
import { joinPath } from '../base-url.ts';
import { listedAt, listRequest, namesIn, withCursor } from '../model-list.ts';
import type { Codec, ModelListing, Provider, ProviderChannel } from '../provider.ts';
import { unlessUnsupported } from '../unsupported-part.ts';
import { usableChannel } from '../usable-channel.ts';

/** Subscription tokens are bearer tokens; API keys have a header of their own. */
const keyHeaders = ({ key }: Pick<ProviderChannel, 'key'>): readonly string[] =>
  key.startsWith('sk-ant-oat') ? ['authorization', `Bearer ${key}`] : ['x-api-key', key];

const traits: AnthropicTraits = {
  path: (call, base) => joinPath(base, '/v1', '/messages') + (call.format.startsWith('anthropic') ? call.query : ''),
  headers: (_, channel) => keyHeaders(channel),
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

const listedMax = 1000;

/** `GET /v1/models`. Source: Anthropic API reference, "List Models". */
const models: ModelListing = {
  request: (channel, page) => {
    const usable = usableChannel(channel);
    if (usable.kind === 'fault') return usable;
    const path = withCursor(`${joinPath(usable.base, '/v1', '/models')}?limit=${listedMax}`, 'after_id', page);
    return listRequest(usable.base, path, ['anthropic-version', defaultVersion, ...keyHeaders(usable)]);
  },
  read: (body) => {
    const listed = listedAt(body, 'data');
    if (listed === null || !isObject(body)) return null;
    return { names: namesIn(listed, 'id'), next: body['has_more'] === true ? textAt(body, 'last_id') : '' };
  },
};

/** Anthropic's Messages API (provider notes 5). */
export const anthropic: Provider = {
  models,
  native: { 'anthropic-messages': anthropicNative(traits), 'anthropic-count': anthropicCount(traits) },
  codec,
};
