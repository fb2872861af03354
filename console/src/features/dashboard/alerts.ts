import type { Channel } from '@weir/contract/channels';
import { channelStatus } from '@weir/contract/channels';
import { neverExpires, tokenStatus } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';

type KeyFacts = Pick<Token, 'status' | 'expired_time' | 'unlimited_quota' | 'remain_quota' | 'used_quota'>;
type ChannelFacts = Pick<Channel, 'status' | 'test_time'>;

/** A condition that needs attention. */
export type Alert<Key extends KeyFacts = Token, Route extends ChannelFacts = Channel> =
  | { readonly kind: 'channel-off' | 'channel-untested'; readonly channel: Route }
  | { readonly kind: 'key-expires' | 'key-used'; readonly token: Key }
  | { readonly kind: 'balance'; readonly limit: number }
  | { readonly kind: 'network-limits'; readonly peer: string };

const soonSeconds = 7 * 86_400;
const usedShare = 0.9;

const kindsOfKey = (key: KeyFacts, now: number): readonly ('key-expires' | 'key-used')[] => {
  if (key.status !== tokenStatus.enabled) return [];
  const { expired_time: expires, unlimited_quota: unlimited, remain_quota: left, used_quota: used } = key;
  const ends = expires !== neverExpires && expires - now < soonSeconds;
  const spent = !unlimited && used > 0 && used / (used + left) > usedShare;
  return [...(ends ? (['key-expires'] as const) : []), ...(spent ? (['key-used'] as const) : [])];
};

const kindsOfChannel = ({
  status,
  test_time: tested,
}: ChannelFacts): readonly ('channel-off' | 'channel-untested')[] => {
  if (status === channelStatus.autoDisabled) return ['channel-off'];
  return status === channelStatus.enabled && tested === 0 ? ['channel-untested'] : [];
};

interface Known<Key, Route> {
  readonly keys: readonly Key[];
  readonly channels: readonly Route[];
  /** Undefined: not loaded yet. */
  readonly balance: number | undefined;
  /** The balance below which the user gets a reminder. */
  readonly limit: number | undefined;
  /** A private address without limits per network; empty: none. */
  readonly unlimitedPeer: string;
  /** Unix seconds. */
  readonly now: number;
}

/** All alerts: the gateway, the balance, channels, then tokens. */
export const alertsOf = <Key extends KeyFacts, Route extends ChannelFacts>({
  keys,
  channels,
  balance,
  limit,
  unlimitedPeer,
  now,
}: Known<Key, Route>): readonly Alert<Key, Route>[] => [
  ...(unlimitedPeer === '' ? [] : [{ kind: 'network-limits', peer: unlimitedPeer } as const]),
  ...(balance !== undefined && limit !== undefined && balance < limit ? [{ kind: 'balance', limit } as const] : []),
  ...channels.flatMap((channel) => kindsOfChannel(channel).map((kind) => ({ kind, channel }))),
  ...keys.flatMap((token) => kindsOfKey(token, now).map((kind) => ({ kind, token }))),
];
