import { vendorOf, type Wire } from '@weir/contract/catalogue/vendors';
import { omit } from '../conversation/json.ts';
import { wantsReasoning } from '../conversation/reasoning-effort.ts';
import { aiProxyLibrary } from './ai-proxy-library/ai-proxy-library.ts';
import { aliCompatible, isCompatibleSurface } from './alibaba/ali-compatible.ts';
import { ali } from './alibaba/ali.ts';
import { anthropic } from './anthropic/anthropic.ts';
import { baidu } from './baidu/baidu.ts';
import { isQianfan, qianfan } from './baidu/qianfan.ts';
import { bedrock } from './bedrock/bedrock.ts';
import type { ChatBounds } from './chat-bounds.ts';
import { cohere } from './cohere/cohere.ts';
import { coze } from './coze/coze.ts';
import { deepl } from './deepl/deepl.ts';
import { gemini } from './google/gemini.ts';
import { palm } from './google/palm.ts';
import { vertex } from './google/vertex.ts';
import { miniMax } from './minimax/minimax.ts';
import { ollama } from './ollama/ollama.ts';
import { azure } from './openai-compatible/azure.ts';
import { cloudflareModels, workersAiModels } from './openai-compatible/cloudflare-models.ts';
import { cloudflarePath, workersAiPath } from './openai-compatible/cloudflare.ts';
import { fastGpt } from './openai-compatible/fastgpt.ts';
import { groq } from './openai-compatible/groq.ts';
import { mistral } from './openai-compatible/mistral.ts';
import { moonshot } from './openai-compatible/moonshot.ts';
import { openRouter } from './openai-compatible/openrouter.ts';
import { ownLimit } from './openai/fitted-body.ts';
import { openAiCompatible } from './openai/openai-compatible.ts';
import { modelsAtAddress, modelsBelow } from './openai/openai-models.ts';
import { type OpenAiTraits, pathBelow } from './openai/openai-request.ts';
import { isResponsesOnly } from './openai/responses-only.ts';
import type { Provider, ProviderChannel } from './provider.ts';
import { replicate } from './replicate/replicate.ts';
import { sparkHttp } from './spark/spark-http.ts';
import { isSparkSocket, spark } from './spark/spark.ts';
import { tencentCompatible } from './tencent/tencent-compatible.ts';
import { isSigned, tencent } from './tencent/tencent.ts';
import { zhipu } from './zhipu/zhipu.ts';

/** A vendor with several APIs: the channel's base URL or key selects one. */
type ProviderChoice = (channel: ProviderChannel) => Provider;

/** Vendors that refuse or ignore `stream_options` unless the client itself sends it. */
const withoutStreamOptions = (bounds: ChatBounds, list?: false): Provider =>
  openAiCompatible({ requestsStreamUsage: () => false, bounds: () => bounds, ...(list === false && { models: list }) });

/** OpenAI's paths without their version, below a base URL that ends with a path of its own (`…/v1beta/openai`). */
const addressPath: OpenAiTraits['path'] = ({ path, query }, { base }) =>
  `${base?.path ?? ''}${path.slice('/v1'.length)}${query}`;

const compatible = openAiCompatible({ replaysReasoningOfCalls: true });
const atAddress = openAiCompatible({
  path: addressPath,
  models: { path: modelsAtAddress },
  replaysCallSignatures: true,
});

/** One provider for base URLs whose path matches, another for all others. */
const byAddress =
  (path: RegExp, matching: Provider, otherwise: Provider): ProviderChoice =>
  ({ base }) =>
    base !== null && path.test(base.path) ? matching : otherwise;

/**
 * The translator of each wire format that a row of the vendors' table names: the only list of them. A missing entry, or
 * one that no row names, does not compile.
 */
const providers = {
  openai: openAiCompatible({
    path: cloudflarePath,
    models: { path: cloudflareModels },
    ...ownLimit,
    responses: 'always',
    responsesOnly: ({ model }) => isResponsesOnly(model),
    realtimePath: cloudflarePath,
  }),
  openaiCompatible: compatible,
  openaiAtAddress: atAddress,
  // Any server of OpenAI's format: those of thinking models refuse tool calls without their reasoning.
  openaiAnyPath: openAiCompatible({
    path: addressPath,
    models: { path: modelsAtAddress },
    responses: 'sometimes',
    replaysReasoningOfCalls: true,
  }),
  // Gateways of others in front of OpenAI: some have the responses API too.
  openaiRelay: openAiCompatible({ responses: 'sometimes' }),
  openaiCustom: openAiCompatible({
    path: cloudflarePath,
    models: { path: cloudflareModels },
    responses: 'sometimes',
    realtimePath: cloudflarePath,
    replaysReasoningOfCalls: true,
  }),
  aiProxyLibrary,
  alibaba: (channel) => (isCompatibleSurface(channel) ? aliCompatible : ali),
  anthropic,
  azure,
  baichuan: withoutStreamOptions({ temperature: [0, 1], seed: null, format: 'json', toolChoices: [] }, false),
  baidu: (channel) => (isQianfan(channel) ? qianfan : baidu),
  bailian: aliCompatible,
  bedrock,
  cloudflare: { ...openAiCompatible({ path: workersAiPath }), models: workersAiModels },
  cohere,
  coze,
  deepl,
  deepseek: openAiCompatible({
    chatOnly: true,
    replaysReasoningOfCalls: true,
    bounds: () => ({ format: 'json' }),
    // Its reasoning model refuses these, and ignores the other sampling parameters.
    native: (body, { model }) => (model.includes('reasoner') ? omit(body, ['logprobs', 'top_logprobs']) : body),
    reasoning: (requested) => ({ thinking: { type: wantsReasoning(requested) ? 'enabled' : 'disabled' } }),
  }),
  fastgpt: fastGpt,
  gemini: byAddress(/\/openai$/, atAddress, gemini),
  groq,
  lingyi: withoutStreamOptions({ seed: null, toolChoices: [] }),
  minimax: miniMax,
  mistral,
  moonshot,
  ollama: byAddress(/\/v1$/, compatible, ollama),
  openrouter: openRouter,
  palm,
  qianfan,
  // Serves only the pass-through endpoint: no dialect's calls.
  rawProxy: { native: {} },
  replicate,
  spark: (channel) => (isSparkSocket(channel) ? spark : sparkHttp),
  sparkHttp,
  tencent: (channel) => (isSigned(channel) ? tencent : tencentCompatible),
  vertex,
  volcengine: openAiCompatible({
    path: pathBelow('/api/v3'),
    models: { path: modelsBelow('/api/v3') },
    replaysReasoningOfCalls: true,
  }),
  xai: openAiCompatible({ responses: 'always' }),
  zhinao: withoutStreamOptions({ temperature: [0, 1], seed: null, format: 'text', toolChoices: [] }, false),
  zhipu,
} as const satisfies Record<Wire, Provider | ProviderChoice>;

const byWire = new Map<string, Provider | ProviderChoice>(Object.entries(providers));

const unconfigured: ProviderChannel = { base: null, key: '', other: '' };

/** The provider of a channel of a type; null: this version does not have its wire format. */
export const providerOf = (channelType: number, channel = unconfigured): Provider | null => {
  const provider = byWire.get(vendorOf(channelType)?.wire ?? '');
  if (typeof provider === 'function') return provider(channel);
  return provider ?? null;
};
