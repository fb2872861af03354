import type { BaseUrl, ChannelFault, ProviderChannel } from './provider.ts';

/** A key may have been pasted with line breaks or characters that no header carries. */
const unsafeKey = /[^\t\x20-\x7e\x80-\xff]/;

/** The channel, with an address and a key that can be sent; or what it lacks. */
export const usableChannel = (
  channel: ProviderChannel,
): (ProviderChannel & { readonly kind?: never; readonly base: BaseUrl }) | ChannelFault => {
  const { base, key, other } = channel;
  if (base === null) return { kind: 'fault', message: 'the channel has no valid base URL' };
  if (unsafeKey.test(key)) return { kind: 'fault', message: 'the channel has a key that cannot be sent in a header' };
  return { base, key, other };
};
