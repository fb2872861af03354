import type { ChannelTypeId } from '@weir/contract/channel-types';
import { anthropic } from './anthropic.ts';
import { azure } from './azure.ts';
import { cloudflarePath } from './cloudflare.ts';
import { fastGptFailure } from './fastgpt.ts';
import { miniMaxFailure, miniMaxPath } from './minimax.ts';
import { openAiCompatible } from './openai-compatible.ts';
import { gemini } from './gemini.ts';
import { ollama } from './ollama.ts';
import type { Provider, ProviderChannel, UnsupportedProvider } from './provider.ts';

const openAi = openAiCompatible();
/** Gateways of others in front of OpenAI: some take responses too. */
const openAiRelay = openAiCompatible({ responses: 'perhaps' });
/** Vendors that refuse or ignore `stream_options` unless the client itself sends it. */
const withoutStreamOptions = openAiCompatible({ asksStreamUsage: () => false });
const unsupported: UnsupportedProvider = { unsupported: true };

const openRouter = openAiCompatible({
  headers: ({ gateway }, { key }) => [
    'authorization',
    `Bearer ${key}`,
    'x-title',
    encodeURI(gateway.name),
    ...(gateway.address === '' ? [] : ['http-referer', encodeURI(gateway.address)]),
  ],
});

/** Vendors with several surfaces: the channel's address or key tells which one is asked. */
type ProviderChoice = (channel: ProviderChannel) => Provider;

/** The surface for OpenAI's clients, at an address that ends with its own path (`…/v1beta/openai`). */
const atAddress = openAiCompatible({
  path: ({ path, query }, { base }) => `${base?.path ?? ''}${path.slice('/v1'.length)}${query}`,
});

/** One provider for addresses that look like this, another for all others. */
const byAddress =
  (path: RegExp, matching: Provider, otherwise: Provider): ProviderChoice =>
  ({ base }) =>
    base !== null && path.test(base.path) ? matching : otherwise;

/** The wire format of every channel type. A type of the catalogue without an entry does not compile. */
export const providers = {
  1: openAiCompatible({ path: cloudflarePath, responses: 'taken' }),
  2: openAiRelay,
  3: azure,
  4: openAiRelay,
  5: openAiRelay,
  6: openAiRelay,
  7: openAiRelay,
  8: openAiCompatible({ path: cloudflarePath, responses: 'perhaps' }),
  9: openAiRelay,
  10: openAiRelay,
  11: unsupported,
  12: openAiRelay,
  13: openAiRelay,
  14: anthropic,
  15: unsupported,
  16: unsupported,
  17: unsupported,
  18: unsupported,
  19: withoutStreamOptions,
  20: openRouter,
  21: unsupported,
  22: openAiCompatible({ asksStreamUsage: () => false, usageIsDummy: true, failureIn: fastGptFailure }),
  23: unsupported,
  24: byAddress(/\/openai$/, atAddress, gemini),
  25: openAi,
  26: withoutStreamOptions,
  27: openAiCompatible({ path: miniMaxPath, failureIn: miniMaxFailure }),
  28: openAiCompatible({ asksStreamUsage: () => false, limitMember: 'max_tokens' }),
  29: openAi,
  30: byAddress(/\/v1$/, openAi, ollama),
  31: withoutStreamOptions,
} as const satisfies Record<ChannelTypeId, Provider | ProviderChoice | UnsupportedProvider>;

const byType = new Map<number, Provider | ProviderChoice | UnsupportedProvider>(
  Object.entries(providers).map(([type, provider]) => [Number(type), provider]),
);

const unconfigured: ProviderChannel = { base: null, key: '', other: '' };

/** The provider of a channel of a type; null: this version does not speak its wire format. */
export const providerOf = (channelType: number, channel = unconfigured): Provider | null => {
  const provider = byType.get(channelType);
  if (typeof provider === 'function') return provider(channel);
  return provider === undefined || 'unsupported' in provider ? null : provider;
};
