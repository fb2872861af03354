import { isObject, objectAt, parseJson } from '../../conversation/json.ts';
import { aliFailure } from './ali-failure.ts';
import { aliBounds } from './ali-request.ts';
import { readFailure } from '../failure.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import { modelsBelow, type OpenAiList, openAiModels } from '../openai/openai-models.ts';
import { enableThinking, pathBelow } from '../openai/openai-request.ts';
import type { Provider, ProviderChannel } from '../provider.ts';

/** Base URLs that end with the path of the compatible API, without a version. */
const isSurface = /\/compatible-(?:mode|api)$/;

const versionOf = ({ base }: Pick<ProviderChannel, 'base'>): string =>
  isSurface.test(base?.path ?? '') ? '/v1' : '/compatible-mode/v1';

/** The list of the compatible API, at the same host and for the same key as the native one's models. */
const aliList: OpenAiList = { path: (channel) => modelsBelow(versionOf(channel))(channel) };
export const aliModels = openAiModels(aliList);

/** DashScope's OpenAI-compatible API. Its error codes are those of the native API. Source: Model Studio. */
export const aliCompatible: Provider = openAiCompatible({
  path: (call, channel) => pathBelow(versionOf(channel))(call, channel),
  models: aliList,
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
