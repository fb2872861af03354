import type { ChannelTypeId } from '@weir/contract/channel-types';
import { azure } from './azure.ts';
import { cloudflarePath } from './cloudflare.ts';
import { fastGptFailure } from './fastgpt.ts';
import { miniMaxFailure, miniMaxPath } from './minimax.ts';
import { openAiCompatible } from './openai-compatible.ts';
import type { Provider, UnsupportedProvider } from './provider.ts';

const openAi = openAiCompatible();
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

/** The wire format of every channel type. A type of the catalogue without an entry does not compile. */
export const providers = {
  1: openAiCompatible({ path: cloudflarePath }),
  2: openAi,
  3: azure,
  4: openAi,
  5: openAi,
  6: openAi,
  7: openAi,
  8: openAiCompatible({ path: cloudflarePath }),
  9: openAi,
  10: openAi,
  11: unsupported,
  12: openAi,
  13: openAi,
  14: unsupported,
  15: unsupported,
  16: unsupported,
  17: unsupported,
  18: unsupported,
  19: withoutStreamOptions,
  20: openRouter,
  21: unsupported,
  22: openAiCompatible({ asksStreamUsage: () => false, usageIsDummy: true, failureIn: fastGptFailure }),
  23: unsupported,
  24: unsupported,
  25: openAi,
  26: withoutStreamOptions,
  27: openAiCompatible({ path: miniMaxPath, failureIn: miniMaxFailure }),
  28: openAiCompatible({ asksStreamUsage: () => false, limitMember: 'max_tokens' }),
  29: openAi,
  30: unsupported,
  31: withoutStreamOptions,
} as const satisfies Record<ChannelTypeId, Provider | UnsupportedProvider>;

const byType = new Map<number, Provider | UnsupportedProvider>(
  Object.entries(providers).map(([type, provider]) => [Number(type), provider]),
);

/** The provider of a channel type; null: this version does not speak its wire format. */
export const providerOf = (channelType: number): Provider | null => {
  const provider = byType.get(channelType);
  return provider === undefined || 'unsupported' in provider ? null : provider;
};
