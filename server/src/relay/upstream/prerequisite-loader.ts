import { addressesIn, withContents } from '../../conversation/addresses.ts';
import type { ChannelFault, Prerequisites, ProviderChannel, Refusal, ProviderCall } from '../../providers/provider.ts';
import { createCredentials, type Credentials } from './credentials.ts';
import type { RelayLimits } from '../limits.ts';
import { createRemoteContent, type RemoteContent } from './remote-content.ts';
import type { Upstream } from './upstream.ts';
import type { CallOwner } from './upstream-call.ts';

export interface CallWithPrerequisites {
  readonly kind: 'loaded';
  readonly call: ProviderCall;
}

export interface PrerequisiteRequest {
  readonly call: ProviderCall;
  readonly channel: ProviderChannel;
  readonly prerequisites: Prerequisites;
  readonly client: CallOwner | null;
}

/** Loads what a translation needs beyond a call and a channel (`Prerequisites`). */
export interface PrerequisiteLoader {
  /** Rejects only when the client disconnected. */
  load(request: PrerequisiteRequest): Promise<CallWithPrerequisites | Refusal | ChannelFault>;
  /** The vendor refuses the channel's credential. */
  forget(channel: ProviderChannel, prerequisites: Prerequisites): void;
}

export interface PrerequisiteLoaderDeps {
  readonly upstream: Upstream;
  /** For addresses that clients name. */
  readonly content: Upstream;
  readonly limits: RelayLimits;
  readonly clock: { now(): number };
}

const withContent = async (
  content: RemoteContent,
  request: PrerequisiteRequest,
): Promise<CallWithPrerequisites | Refusal> => {
  const { call, client, prerequisites } = request;
  const conversation = call.conversation();
  if ('kind' in conversation) return conversation;
  const addresses = addressesIn(conversation).filter((address) => prerequisites.byValue?.(address) === true);
  if (addresses.length === 0) return { kind: 'loaded', call };
  const fetched = await content.fetch(addresses, client);
  if (fetched.kind === 'refusal') return fetched;
  const whole = withContents(conversation, fetched.contents);
  return { kind: 'loaded', call: { ...call, conversation: () => whole } };
};

const withCredential = async (credentials: Credentials, request: PrerequisiteRequest) => {
  const { call, channel, prerequisites } = request;
  const exchange = prerequisites.credential?.(channel) ?? null;
  if (exchange === null) return { kind: 'loaded' as const, call };
  if ('kind' in exchange) return exchange;
  const got = await credentials.get(exchange);
  if ('kind' in got) return got;
  return { kind: 'loaded' as const, call: { ...call, credential: got.value } };
};

export const createPrerequisiteLoader = ({
  upstream,
  content,
  limits,
  clock,
}: PrerequisiteLoaderDeps): PrerequisiteLoader => {
  const credentials = createCredentials({ upstream, limits, clock });
  const remote = createRemoteContent({ upstream: content, limits });
  return {
    load: async (request) => {
      const withKey = await withCredential(credentials, request);
      if (withKey.kind !== 'loaded' || request.prerequisites.byValue === undefined) return withKey;
      return withContent(remote, { ...request, call: withKey.call });
    },
    forget: (channel, prerequisites) => {
      const exchange = prerequisites.credential?.(channel) ?? null;
      if (exchange !== null && !('kind' in exchange)) credentials.forget(exchange);
    },
  };
};
