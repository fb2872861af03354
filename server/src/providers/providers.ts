import type { ChannelTypeId } from '@weir/contract/catalogue/channel-types';
import { wantsReasoning } from '../conversation/effort.ts';
import { aiProxyLibrary } from './ai-proxy-library/ai-proxy-library.ts';
import { aliCompatible } from './alibaba/ali-compatible.ts';
import { ali } from './alibaba/ali.ts';
import { anthropic } from './anthropic/anthropic.ts';
import { azure } from './openai-compatible/azure.ts';
import { baidu } from './baidu/baidu.ts';
import { parseBaseUrl } from './base-url.ts';
import { bedrock } from './bedrock/bedrock.ts';
import type { ChatBounds } from './chat-bounds.ts';
import { cloudflarePath, workersAiPath } from './openai-compatible/cloudflare.ts';
import { cohere } from './cohere/cohere.ts';
import { coze } from './coze/coze.ts';
import { deepl } from './deepl/deepl.ts';
import { fastGpt } from './openai-compatible/fastgpt.ts';
import { gemini } from './google/gemini.ts';
import { groq } from './openai-compatible/groq.ts';
import { miniMaxEmbedder } from './minimax/minimax-embedder.ts';
import { miniMax } from './minimax/minimax.ts';
import { mistral } from './openai-compatible/mistral.ts';
import { moonshot } from './openai-compatible/moonshot.ts';
import { ollama } from './ollama/ollama.ts';
import { openAiCompatible } from './openai/openai-compatible.ts';
import { pathBelow } from './openai/openai-request.ts';
import { openRouter } from './openai-compatible/openrouter.ts';
import { palm } from './google/palm.ts';
import type { Provider, ProviderChannel } from './provider.ts';
import { qianfan } from './baidu/qianfan.ts';
import { replicate } from './replicate/replicate.ts';
import { isResponsesOnly } from './openai/responses-only.ts';
import { sparkHttp } from './spark/spark-http.ts';
import { spark } from './spark/spark.ts';
import { tencent } from './tencent/tencent.ts';
import { vertex } from './google/vertex.ts';
import { zhipu } from './zhipu/zhipu.ts';

const openAi = openAiCompatible();
/** Gateways of others in front of OpenAI: some take responses too. */
const openAiRelay = openAiCompatible({ responses: 'perhaps' });
/** Vendors that refuse or ignore `stream_options` unless the client itself sends it. */
const withoutStreamOptions = (bounds: ChatBounds): Provider =>
  openAiCompatible({ asksStreamUsage: () => false, bounds: () => bounds });

/** Vendors with several surfaces: the channel's address or key tells which one is asked. */
type ProviderChoice = (channel: ProviderChannel) => Provider;

/** The surface for OpenAI's clients, at an address that ends with its own path (`…/v1beta/openai`). */
const addressPath: typeof cloudflarePath = ({ path, query }, { base }) =>
  `${base?.path ?? ''}${path.slice('/v1'.length)}${query}`;
const atAddress = openAiCompatible({ path: addressPath });

/** One provider for addresses that look like this, another for all others. */
const byAddress =
  (path: RegExp, matching: Provider, otherwise: Provider): ProviderChoice =>
  ({ base }) =>
    base !== null && path.test(base.path) ? matching : otherwise;

/** Tencent's surface for OpenAI's clients, also for channels that still name the older API's host. */
const tokenHub = parseBaseUrl('https://tokenhub.tencentmaas.com/v1');
const tencentCompatible = openAiCompatible({
  address: (base) => (base === null || base.origin === 'https://hunyuan.tencentcloudapi.com' ? tokenHub : base),
  bounds: () => ({ systemFirst: true, modelAnswers: true, format: 'text' }),
  reasoning: (wanted) => ({ enable_thinking: wantsReasoning(wanted) }),
});

const addressOf = ({ base }: ProviderChannel): string => (base === null ? '' : base.origin + base.path);
const isQianfan = (channel: ProviderChannel): boolean =>
  channel.key.startsWith('bce-v3/') || /\/\/qianfan\.|\/v2$/.test(addressOf(channel));
const isSparkSocket = (channel: ProviderChannel): boolean =>
  channel.key.includes('|') && !/\/\/spark-api-open|\/v[12]$/.test(addressOf(channel));

/** Gives what its upstream gives, on paths of its own: no call of a model goes there. */
const rawProxy: Provider = { native: {} };

/** The wire format of every channel type. A type of the catalogue without an entry does not compile. */
export const providers = {
  1: openAiCompatible({
    path: cloudflarePath,
    responses: 'taken',
    responsesOnly: ({ model }) => isResponsesOnly(model),
    realtimePath: cloudflarePath,
  }),
  2: openAiRelay,
  3: azure,
  4: openAiRelay,
  5: openAiRelay,
  6: openAiRelay,
  7: openAiRelay,
  8: openAiCompatible({ path: cloudflarePath, responses: 'perhaps', realtimePath: cloudflarePath }),
  9: openAiRelay,
  10: openAiRelay,
  11: palm,
  12: openAiRelay,
  13: openAiRelay,
  14: anthropic,
  15: (channel) => (isQianfan(channel) ? qianfan : baidu),
  16: zhipu,
  17: byAddress(/\/compatible-(?:mode|api)(?:\/|$)/, aliCompatible, ali),
  18: (channel) => (isSparkSocket(channel) ? spark : sparkHttp),
  19: withoutStreamOptions({ temperature: [0, 1], seed: null, format: 'text', toolChoices: [] }),
  20: openRouter,
  21: aiProxyLibrary,
  22: fastGpt,
  23: ({ key }) => (key.includes('|') ? tencent : tencentCompatible),
  24: byAddress(/\/openai$/, atAddress, gemini),
  25: moonshot,
  26: withoutStreamOptions({ temperature: [0, 1], seed: null, format: 'json', toolChoices: [] }),
  27: { ...openAiCompatible(miniMax), embedder: miniMaxEmbedder(miniMax) },
  28: mistral,
  29: groq,
  30: byAddress(/\/v1$/, openAi, ollama),
  31: withoutStreamOptions({ seed: null, toolChoices: [] }),
  32: openAi,
  33: bedrock,
  34: coze,
  35: cohere,
  36: openAiCompatible({ chatOnly: true }),
  37: openAiCompatible({ path: workersAiPath }),
  38: deepl,
  39: openAi,
  40: openAiCompatible({ path: pathBelow('/api/v3') }),
  41: atAddress,
  42: vertex,
  43: rawProxy,
  44: openAi,
  45: openAiCompatible({ responses: 'taken' }),
  46: replicate,
  47: qianfan,
  48: sparkHttp,
  49: aliCompatible,
  50: openAiCompatible({ path: addressPath, responses: 'perhaps' }),
  51: atAddress,
} as const satisfies Record<ChannelTypeId, Provider | ProviderChoice>;

const byType = new Map<number, Provider | ProviderChoice>(
  Object.entries(providers).map(([type, provider]) => [Number(type), provider]),
);

const unconfigured: ProviderChannel = { base: null, key: '', other: '' };

/** The provider of a channel of a type; null: this version does not speak its wire format. */
export const providerOf = (channelType: number, channel = unconfigured): Provider | null => {
  const provider = byType.get(channelType);
  if (typeof provider === 'function') return provider(channel);
  return provider ?? null;
};
