import { parseBaseUrl } from '../base-url.ts';
import type { ChatBounds } from '../chat-bounds.ts';
import { isObject, omit, parseJson } from '../../conversation/json.ts';
import { readFailure } from '../failure.ts';
import { withLimitIn, withoutOpenAiOnly } from '../openai/fitted-body.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import type { Provider } from '../provider.ts';
import { sparkFailure } from './spark-failure.ts';
import { sparkModel } from './spark-models.ts';

const address = parseBaseUrl('https://spark-api-open.xf-yun.com/v1');

/** `APPID|APISecret|APIKey` becomes `APIKey:APISecret`; any other key is the API password itself. */
const passwordOf = (key: string): string => {
  const [, secret, apiKey] = key.split('|');
  return secret === undefined || apiKey === undefined ? key : `${apiKey}:${secret}`;
};

const bounds: ChatBounds = {
  temperature: [0.01, 2],
  seed: null,
  penalties: null,
  parallelTools: null,
  stopMax: 0,
  toolChoices: ['none', 'required'],
  format: 'json',
};

/** iFlytek Spark's OpenAI-compatible API. Source: xfyun.cn, Spark HTTP API. */
export const sparkHttp: Provider = openAiCompatible({
  address: (base) => base ?? address,
  models: false,
  headers: (_, { key }) => ['authorization', `Bearer ${passwordOf(key)}`],
  modelName: (model) => (model.startsWith('Spark') ? (sparkModel(model, '')?.httpName ?? model) : model),
  requestsStreamUsage: () => false,
  limitMember: 'max_tokens',
  bounds: () => bounds,
  oneAnswer: () => true,
  native: (body) => withLimitIn('max_tokens', omit(withoutOpenAiOnly(body), ['n'])),
  textOnly: true,
  failureIn: (body) => (Array.isArray(body['choices']) ? null : sparkFailure(body)),
  failure: (status, text) => {
    const parsed = parseJson(text);
    return (isObject(parsed) ? sparkFailure(parsed, status) : null) ?? readFailure(status, text);
  },
});
