import { joinPath } from '../base-url.ts';
import type { ChannelFault, ProviderChannel, ProviderCall } from '../provider.ts';

/** Cloudflare's AI gateway. */
export const gatewayOrigin = 'https://gateway.ai.cloudflare.com';

/** Workers AI: the account's path, which a base URL of the AI gateway, or one that ends with `/ai`, already contains. */
export const workersAiPath = (call: ProviderCall, { base, other }: ProviderChannel): string | ChannelFault => {
  if (base === null) return { kind: 'fault', message: 'the channel has an invalid base URL' };
  const rest = call.path + call.query;
  if (/\/(?:workers-ai|ai)(?:\/v1)?$/.test(base.path)) return joinPath(base, '/v1', rest.slice('/v1'.length));
  if (!/^[\w-]+$/.test(other)) return { kind: 'fault', message: 'the channel has no Cloudflare account ID' };
  return `${base.path}/client/v4/accounts/${other}/ai${rest}`;
};

/** OpenAI's path, without its version on Cloudflare's AI gateway, whose base URLs begin with `/v1` and the account. */
export const cloudflarePath = (call: ProviderCall, { base }: ProviderChannel): string | ChannelFault => {
  if (base === null) return { kind: 'fault', message: 'the channel has an invalid base URL' };
  const rest = call.path.slice('/v1'.length);
  return (base.origin === gatewayOrigin ? base.path + rest : joinPath(base, '/v1', rest)) + call.query;
};
