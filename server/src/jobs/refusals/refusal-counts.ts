import { type RefusalSum, refusalSlotSeconds } from '../../store/refusals/refusals.ts';

/** A refused call, as it is counted. */
export interface CountedCall {
  /** 0: not known, as of the token. */
  readonly userId: number;
  readonly tokenId: number;
  /** Empty: the user is known. */
  readonly network: string;
  readonly rule: string;
  readonly requestId: string;
  /** Unix seconds. */
  readonly at: number;
}

/** All refused calls since the last write, summed by caller and rule. */
export interface RefusalCounts {
  /** Counts a call; returns the network that it is counted under. */
  add(call: CountedCall): string;
  /** Removes and returns the sums. */
  take(): readonly RefusalSum[];
  /** Adds sums that could not be written to those of the next write. */
  giveBack(sums: readonly RefusalSum[]): void;
}

/** Sums of a quarter of an hour on this node that name a network, and that name a token. */
export const networkSumsMax = 200;
export const tokenSumsMax = 1000;
/** Sums in memory: of hours in which none can be written. */
const sumsMax = 20_000;

export const otherNetwork = 'other';

const keyOf = ({
  slot,
  user_id,
  token_id,
  rule,
  network,
}: Omit<RefusalSum, 'count' | 'first_at' | 'last_at'>): string => `${slot}/${user_id}/${token_id}/${rule}/${network}`;

/** `onLost` gets the number of calls for which there was no room. */
export const createRefusalCounts = (onLost: (count: number) => void): RefusalCounts => {
  let sums = new Map<string, RefusalSum>();
  let named = { slot: Number.NaN, networks: new Set<string>(), tokens: new Set<string>() };

  /** Beyond the bounds, calls are counted for their rule, and for their user. */
  const bounded = (sum: RefusalSum): RefusalSum => {
    if (sum.slot !== named.slot) named = { slot: sum.slot, networks: new Set(), tokens: new Set() };
    const key = keyOf(sum);
    const isKnown = sum.user_id > 0;
    const [names, max] = isKnown ? [named.tokens, tokenSumsMax] : [named.networks, networkSumsMax];
    if (names.has(key)) return sum;
    if (names.size >= max) return isKnown ? { ...sum, token_id: 0 } : { ...sum, network: otherNetwork };
    names.add(key);
    return sum;
  };
  const merge = (sum: RefusalSum): void => {
    const key = keyOf(sum);
    const before = sums.get(key);
    if (before === undefined && sums.size >= sumsMax) return onLost(sum.count);
    const { first_at, request_id } = before ?? sum;
    const last_at = Math.max(sum.last_at, before?.last_at ?? 0);
    sums.set(key, { ...sum, count: sum.count + (before?.count ?? 0), first_at, last_at, request_id });
  };

  return {
    add: ({ userId, tokenId, network, rule, requestId, at }) => {
      const slot = Math.floor(at / refusalSlotSeconds);
      const times = { first_at: at, last_at: at, request_id: requestId };
      const sum = bounded({ slot, user_id: userId, token_id: tokenId, rule, network, count: 1, ...times });
      merge(sum);
      return sum.network;
    },
    take: () => {
      const taken = [...sums.values()];
      sums = new Map();
      return taken;
    },
    giveBack: (returned) => returned.forEach(merge),
  };
};
