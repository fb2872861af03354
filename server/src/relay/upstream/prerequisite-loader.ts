import { addressesIn, withContents } from '../../conversation/addresses.ts';
import type { ChannelFault, Prerequisites, ProviderChannel, Refusal, ProviderCall } from '../../providers/provider.ts';
import type { Client } from '../client/client.ts';
import { createCredentials, type Credentials } from './credentials.ts';
import type { RelayLimits } from '../limits.ts';
import { createRemoteContent, type RemoteContent } from './remote-content.ts';
import type { Upstream } from './upstream.ts';

export interface CallWithPrerequisites {
  readonly kind: 'supplied';
  readonly call: ProviderCall;
}

export interface PrerequisiteRequest {
  readonly call: ProviderCall;
  readonly channel: ProviderChannel;
  readonly prerequisites: Prerequisites;
  readonly client: Pick<Client, 'onGone'> | null;
}

/** Gives providers what they need beyond a call and a channel (`Prerequisites`). */
export interface PrerequisiteLoader {
  /** Rejects only when the client went away. */
  load(wanting: PrerequisiteRequest): Promise<CallWithPrerequisites | Refusal | ChannelFault>;
  /** The channel's credential is taken no longer. */
  forget(channel: ProviderChannel, needs: Prerequisites): void;
}

export interface PrerequisiteLoaderDeps {
  readonly upstream: Upstream;
  /** For addresses that callers name. */
  readonly content: Upstream;
  readonly limits: RelayLimits;
  readonly clock: { now(): number };
}

const withContent = async (
  content: RemoteContent,
  wanting: PrerequisiteRequest,
): Promise<CallWithPrerequisites | Refusal> => {
  const { call, client, prerequisites } = wanting;
  const conversation = call.conversation();
  if ('kind' in conversation) return conversation;
  const wanted = addressesIn(conversation).filter((address) => prerequisites.byValue?.(address) === true);
  if (wanted.length === 0) return { kind: 'supplied', call };
  const fetched = await content.fetch(wanted, client);
  if (fetched.kind === 'refusal') return fetched;
  const whole = withContents(conversation, fetched.contents);
  return { kind: 'supplied', call: { ...call, conversation: () => whole } };
};

const withCredential = async (credentials: Credentials, wanting: PrerequisiteRequest) => {
  const { call, channel, prerequisites } = wanting;
  const exchange = prerequisites.credential?.(channel) ?? null;
  if (exchange === null) return { kind: 'supplied' as const, call };
  if ('kind' in exchange) return exchange;
  const got = await credentials.get(exchange);
  if ('kind' in got) return got;
  return { kind: 'supplied' as const, call: { ...call, credential: got.value } };
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
    load: async (wanting) => {
      const credited = await withCredential(credentials, wanting);
      if (credited.kind !== 'supplied' || wanting.prerequisites.byValue === undefined) return credited;
      return withContent(remote, { ...wanting, call: credited.call });
    },
    forget: (channel, needs) => {
      const exchange = needs.credential?.(channel) ?? null;
      if (exchange !== null && !('kind' in exchange)) credentials.forget(exchange);
    },
  };
};
