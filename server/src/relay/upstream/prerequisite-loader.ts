import { addressesIn, withContents } from '../../conversation/addresses.ts';
import type { ChannelFault, Prerequisites, ProviderChannel, Refusal, ProviderCall } from '../../providers/provider.ts';
import { createMarking } from '../../conversation/marking.ts';
import { createCredentials, type Credentials } from './credentials.ts';
import type { RelayLimits } from '../limits.ts';
import type { ForwardProxy } from '../forward-proxy.ts';
import {
  type CallContents,
  createRemoteContent,
  type Fetched,
  type FetchedContent,
  type RemoteContent,
} from './remote-content.ts';
import type { Upstream } from './upstream.ts';
import type { CallOwner } from './upstream-call.ts';

type Contents = Fetched['contents'];

export interface CallWithPrerequisites {
  readonly kind: 'loaded';
  readonly call: ProviderCall;
}

export interface PrerequisiteRequest {
  readonly call: ProviderCall;
  readonly channel: ProviderChannel;
  /** The channel's own; absent: the environment decides. */
  readonly proxy?: ForwardProxy | null;
  readonly prerequisites: Prerequisites;
  readonly contents: CallContents;
  readonly client: CallOwner | null;
}

/** Loads what a translation needs beyond a call and a channel (`Prerequisites`). */
export interface PrerequisiteLoader {
  /** Rejects only when the client disconnected or there is no memory left. */
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

const marking = createMarking();

/** The contents as parts of a conversation, in which marks may stand for them. */
const partsOf = (contents: Contents, base64Of: (content: FetchedContent, index: number) => string) =>
  new Map(
    [...contents].map(([address, content], index) => [
      address,
      { kind: 'data' as const, mime: content.mime, base64: base64Of(content, index) },
    ]),
  );

/** The conversation with its contents. Where the codec only passes them on they are put into the written request. */
const withFetched = (call: ProviderCall, contents: Contents): ProviderCall => ({
  ...call,
  conversation: () => {
    const conversation = call.conversation();
    if ('kind' in conversation) return conversation;
    return withContents(
      conversation,
      partsOf(contents, ({ base64 }) => base64.toString('latin1')),
    );
  },
  abridged: () => {
    const abridged = call.abridged();
    if ('kind' in abridged) return abridged;
    const texts = [...contents.values()].map(({ base64 }) => base64);
    const marked = partsOf(contents, (_, index) => marking.of(index));
    return {
      conversation: withContents(abridged.conversation, marked),
      restore: (written) => marking.restore(abridged.restore(written), texts),
    };
  },
});

const withContent = async (
  content: RemoteContent,
  request: PrerequisiteRequest,
): Promise<CallWithPrerequisites | Refusal> => {
  const { call, client, contents, prerequisites } = request;
  const abridged = call.abridged();
  if ('kind' in abridged) return abridged;
  const named = addressesIn(abridged.conversation);
  const addresses = named.filter((address) => prerequisites.byValue?.(address) === true);
  if (addresses.length === 0) return { kind: 'loaded', call };
  const fetched = await content.fetch(addresses, contents, client);
  return fetched.kind === 'refusal' ? fetched : { kind: 'loaded', call: withFetched(call, fetched.contents) };
};

const withCredential = async (credentials: Credentials, request: PrerequisiteRequest) => {
  const { call, channel, prerequisites } = request;
  const exchange = prerequisites.credential?.(channel) ?? null;
  if (exchange === null) return { kind: 'loaded' as const, call };
  if ('kind' in exchange) return exchange;
  const got = await credentials.get(exchange, request.proxy);
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
