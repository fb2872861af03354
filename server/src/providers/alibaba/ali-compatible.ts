import { isObject, objectAt, parseJson } from '../../conversation/json.ts';
import { aliFailure } from './ali-failure.ts';
import { aliBounds } from './ali-request.ts';
import { readFailure } from '../failure.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import { enableThinking, pathBelow } from '../openai/openai-request.ts';
import type { Provider, ProviderChannel } from '../provider.ts';

/** Base URLs that end with the path of the compatible API, without a version. */
const isSurface = /\/compatible-(?:mode|api)$/;

/** DashScope's OpenAI-compatible API. Its error codes are those of the native API. Source: Model Studio. */
export const aliCompatible: Provider = openAiCompatible({
  path: (call, channel) =>
    pathBelow(isSurface.test(channel.base?.path ?? '') ? '/v1' : '/compatible-mode/v1')(call, channel),
  limitMember: 'max_tokens',
  bounds: () => aliBounds,
  reasoning: enableThinking,
  failure: (status, text) => {
    const parsed = parseJson(text);
    return (isObject(parsed) ? aliFailure(objectAt(parsed, 'error'), status) : null) ?? readFailure(status, text);
  },
});

/** Whether a channel's base URL is one of the OpenAI-compatible API. */
export const isCompatibleSurface = ({ base }: ProviderChannel): boolean =>
  base !== null && /\/compatible-(?:mode|api)(?:\/|$)/.test(base.path);
