import { omit } from '../../conversation/json.ts';
import { ownLimit } from '../openai/fitted-body.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import type { ChannelFault, ProviderChannel, ProviderCall } from '../provider.ts';
import { isResponsesOnly } from '../openai/responses-only.ts';

/** The specification's default for a channel without a version. */
const defaultVersion = '2024-03-01-preview';
/** Older versions reject a body with `stream_options`. */
const streamUsageSince = '2024-09-01';
/** Older versions have no responses API. */
const responsesSince = '2025-03-01-preview';

const versionOf = (channel: ProviderChannel): string =>
  channel.other.trim() === '' ? defaultVersion : channel.other.trim();

/** The second generation of the API names the deployment in the body and has no version in its query. */
const isUnversioned = (channel: ProviderChannel): boolean =>
  ['v1', 'latest', 'preview'].includes(versionOf(channel)) || channel.base?.path.endsWith('/openai/v1') === true;

/** Azure's model names have no dots (`gpt-35-turbo`); a deployment name from a redirection may have them. */
const deploymentOf = (call: ProviderCall): string => (call.redirected ? call.model : call.model.replaceAll('.', ''));

/** Realtime sessions carry their deployment in the query. Source: Azure OpenAI, "Realtime API via WebSockets". */
const realtimePath = (call: ProviderCall, channel: ProviderChannel): string | ChannelFault => {
  if (channel.base === null) return { kind: 'fault', message: 'the channel has no Azure endpoint' };
  const [version, deployment] = [encodeURIComponent(versionOf(channel)), encodeURIComponent(deploymentOf(call))];
  if (!isUnversioned(channel))
    return `${channel.base.path}/openai/realtime?api-version=${version}&deployment=${deployment}`;
  const root = channel.base.versioned ? channel.base.path : `${channel.base.path}/openai/v1`;
  return `${root}/realtime?model=${deployment}${version === 'preview' ? '&api-version=preview' : ''}`;
};

const path = (call: ProviderCall, channel: ProviderChannel): string | ChannelFault => {
  if (channel.base === null) return { kind: 'fault', message: 'the channel has no Azure endpoint' };
  const task = call.path.slice('/v1'.length);
  if (isUnversioned(channel)) {
    const root = channel.base.versioned ? channel.base.path : `${channel.base.path}/openai/v1`;
    return `${root}${task}${versionOf(channel) === 'preview' ? '?api-version=preview' : ''}`;
  }
  if (task === '/responses') {
    const version = versionOf(channel) < responsesSince ? responsesSince : versionOf(channel);
    return `${channel.base.path}/openai/responses?api-version=${encodeURIComponent(version)}`;
  }
  const deployment = deploymentOf(call);
  if (/^\.{0,2}$/.test(deployment)) return { kind: 'fault', message: 'the deployment name is invalid' };
  const query = `?api-version=${encodeURIComponent(versionOf(channel))}`;
  return `${channel.base.path}/openai/deployments/${encodeURIComponent(deployment)}${task}${query}`;
};

/** A key in the form of a JWT is an Entra ID token. */
const entraToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

/** A deployment may have any name: the model that the client requested then decides. */
const responsesOnly = ({ model, requestedModel }: ProviderCall): boolean =>
  isResponsesOnly(model) || isResponsesOnly(requestedModel);

const hasStreamUsage = (channel: ProviderChannel): boolean =>
  isUnversioned(channel) || versionOf(channel) >= streamUsageSince;

const refusesOptions = (bytes: Buffer, channel: ProviderChannel): boolean =>
  !hasStreamUsage(channel) && bytes.includes('"stream_options"');

/** OpenAI's format with Azure's paths and key header. */
export const azure = openAiCompatible({
  path,
  realtimePath,
  // The data plane lists no deployments.
  models: false,
  headers: (_, { key }) => (entraToken.test(key) ? ['authorization', `Bearer ${key}`] : ['api-key', key]),
  requestsStreamUsage: hasStreamUsage,
  needsNative: (bytes, call, channel) => ownLimit.needsNative(bytes, call) || refusesOptions(bytes, channel),
  native: (body, call, channel) =>
    ownLimit.native(hasStreamUsage(channel) ? body : omit(body, ['stream_options']), call),
  dropsEmptyChunks: true,
  responses: 'sometimes',
  responsesOnly,
  // Responses carry the deployment in the body, whatever the version.
  responseModel: (call, channel) => (isUnversioned(channel) ? call.model : deploymentOf(call)),
});
