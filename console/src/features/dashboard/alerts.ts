import type { ChannelActivity } from '@weir/contract/channel-health';
import type { Channel } from '@weir/contract/channels';
import { channelStatus } from '@weir/contract/channels';
import type { DataOf } from '@weir/contract/endpoint';
import type { listRetiringModels } from '@weir/contract/models';
import type { getPriceBook } from '@weir/contract/prices/book-updates';
import type { PricedModels } from '@weir/contract/prices/own-prices';
import { neverExpires, tokenStatus } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';

type KeyFacts = Pick<Token, 'status' | 'expired_time' | 'unlimited_quota' | 'remain_quota' | 'used_quota'>;
type ChannelFacts = Pick<Channel, 'id' | 'status' | 'test_time'>;
type Traffic = Pick<ChannelActivity, 'id' | 'succeeded' | 'failed' | 'hour_succeeded' | 'hour_failed'>;

/** Attempts of a channel, most of which failed. */
export interface Failures {
  readonly failed: number;
  readonly total: number;
  /** Of the last hour; else of the last 24. */
  readonly recent: boolean;
}

/** What happens to calls of models without a price. */
export type UnpricedRule = PricedModels['unpriced'];

/** A channel with models that their vendor ends. */
export type RetiringChannel = DataOf<typeof listRetiringModels>[number];
/** Why a price book needs attention: it waits for approval, comes with this release, or none was ever approved. */
export type BookReason = 'waiting' | 'newer' | 'none';

type BookFacts = Pick<DataOf<typeof getPriceBook>, 'current' | 'shipped' | 'proposal'>;

const bookAlerts = (book: BookFacts | undefined, isUnpriced: boolean) => {
  if (book === undefined) return [];
  const { current, shipped, proposal } = book;
  if (proposal !== null) return [{ kind: 'price-book', reason: 'waiting', name: proposal.name } as const];
  if (!shipped.is_new || (current === null && !isUnpriced)) return [];
  return [{ kind: 'price-book', reason: current === null ? 'none' : 'newer', name: shipped.name } as const];
};

/** A condition that needs attention. */
export type Alert<Key extends KeyFacts = Token, Route extends ChannelFacts = Channel> =
  | { readonly kind: 'channel-off' | 'channel-untested'; readonly channel: Route }
  | { readonly kind: 'key-expires' | 'key-used'; readonly token: Key }
  | { readonly kind: 'channel-failing'; readonly channel: Route; readonly failures: Failures }
  | { readonly kind: 'unpriced'; readonly models: readonly string[]; readonly rule: UnpricedRule }
  | { readonly kind: 'retiring'; readonly retiring: RetiringChannel }
  | { readonly kind: 'price-book'; readonly reason: BookReason; readonly name: string }
  | { readonly kind: 'silent-gateway' }
  | { readonly kind: 'silent-model'; readonly model: string }
  | { readonly kind: 'ledger'; readonly count: number }
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

/** Fewer attempts prove nothing. */
const attemptsMin = 5;

/** The failures of a channel where most of its attempts fail: of the last hour, or of the day if there were few since. */
export const failuresOf = (traffic: Traffic | undefined): Failures | undefined => {
  if (traffic === undefined) return undefined;
  const { succeeded, failed, hour_succeeded, hour_failed } = traffic;
  const recent = hour_succeeded + hour_failed >= attemptsMin;
  const counted = recent
    ? { failed: hour_failed, total: hour_succeeded + hour_failed, recent }
    : { failed, total: succeeded + failed, recent };
  const isMended = !recent && hour_succeeded > 0;
  return counted.total >= attemptsMin && counted.failed * 2 > counted.total && !isMended ? counted : undefined;
};

const failing = <Route extends ChannelFacts>(channels: readonly Route[], traffic: readonly Traffic[]) =>
  channels
    .filter(({ status }) => status === channelStatus.enabled)
    .flatMap((channel) => {
      const failures = failuresOf(traffic.find(({ id }) => id === channel.id));
      return failures === undefined ? [] : [{ kind: 'channel-failing', channel, failures } as const];
    });

interface Known<Key, Route> {
  readonly keys: readonly Key[];
  readonly channels: readonly Route[];
  readonly traffic: readonly Traffic[];
  /** Served models without a price. */
  readonly unpriced: { readonly rule: UnpricedRule; readonly models: readonly string[] };
  readonly retiring: readonly RetiringChannel[];
  /** Undefined: not known, or not to this user. */
  readonly book: BookFacts | undefined;
  readonly silence: { readonly gateway: boolean; readonly models: readonly string[] };
  /** Findings of the last comparison of the ledger with the balances. */
  readonly mismatches: number;
  /** Undefined: not loaded yet. */
  readonly balance: number | undefined;
  /** The balance below which the user gets a reminder. */
  readonly limit: number | undefined;
  /** A private address without limits per network; empty: none. */
  readonly unlimitedPeer: string;
  /** Unix seconds. */
  readonly now: number;
}

/** Channels with such models: each has a line. */
const retiringMax = 5;

/** All alerts, those that cost most first. */
export const alertsOf = <Key extends KeyFacts, Route extends ChannelFacts>({
  keys,
  channels,
  traffic,
  unpriced,
  retiring,
  book,
  silence,
  mismatches,
  balance,
  limit,
  unlimitedPeer,
  now,
}: Known<Key, Route>): readonly Alert<Key, Route>[] => [
  ...(mismatches === 0 ? [] : [{ kind: 'ledger', count: mismatches } as const]),
  ...(silence.gateway ? [{ kind: 'silent-gateway' } as const] : []),
  ...failing(channels, traffic),
  ...silence.models.map((model) => ({ kind: 'silent-model', model }) as const),
  // Where they are free, the operator decided that.
  ...(unpriced.models.length === 0 || unpriced.rule === 'free' ? [] : [{ kind: 'unpriced', ...unpriced } as const]),
  ...retiring.slice(0, retiringMax).map((channel) => ({ kind: 'retiring', retiring: channel }) as const),
  ...bookAlerts(book, unpriced.models.length > 0),
  ...(unlimitedPeer === '' ? [] : [{ kind: 'network-limits', peer: unlimitedPeer } as const]),
  ...(balance !== undefined && limit !== undefined && balance < limit ? [{ kind: 'balance', limit } as const] : []),
  ...channels.flatMap((channel) => kindsOfChannel(channel).map((kind) => ({ kind, channel }))),
  ...keys.flatMap((token) => kindsOfKey(token, now).map((kind) => ({ kind, token }))),
];
