import type { BaseUrl, ChannelFault, ProviderChannel } from './provider.ts';

/** Pasted keys may contain line breaks or other characters that a header cannot. */
const unsafeKey = /[^\t\x20-\x7e\x80-\xff]/;

/** The channel, if it has a base URL and a key that fits in a header; otherwise its fault. */
export const usableChannel = (
  channel: ProviderChannel,
): (ProviderChannel & { readonly kind?: never; readonly base: BaseUrl }) | ChannelFault => {
  const { base, key, other } = channel;
  if (base === null) return { kind: 'fault', message: 'the channel has an invalid base URL' };
  if (unsafeKey.test(key))
    return { kind: 'fault', message: 'the channel key has characters that are invalid in a header' };
  return { base, key, other };
};
