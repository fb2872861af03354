import { joinPath } from './base-url.ts';
import type { ChannelFault, ProviderChannel, RelayCall } from './provider.ts';

const gatewayOrigin = 'https://gateway.ai.cloudflare.com';

/** OpenAI's path, but without its version on Cloudflare's AI gateway, whose addresses name the account behind `/v1`. */
export const cloudflarePath = (call: RelayCall, { base }: ProviderChannel): string | ChannelFault => {
  if (base === null) return { kind: 'fault', message: 'the channel has no valid base URL' };
  const rest = call.path.slice('/v1'.length);
  return (base.origin === gatewayOrigin ? base.path + rest : joinPath(base, '/v1', rest)) + call.query;
};
