import type { CircuitBreaker } from './circuit-breaker.ts';
import type { RoutedChannel } from './routed-channel.ts';

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Input of a choice besides the channels. */
export interface Choosing {
  readonly model: string;
  /** Keys of channels that failed in this call. */
  readonly failedKeys: ReadonlySet<RoutedChannel>;
  readonly breaker: Pick<CircuitBreaker, 'coolDownOf'>;
  /** Whether a rate limit of the key has no room; null: there are none. */
  readonly isFull: ((key: RoutedChannel) => boolean) | null;
  /** The `channelKey` that served the conversation before; null: none. */
  readonly stickyKey: string | null;
  readonly random: Random;
}

/** A channel that can be taken, and the keys with which it can. */
export interface OpenChannel {
  readonly channel: RoutedChannel;
  readonly channelKeys: readonly RoutedChannel[];
}

/** The channels of the highest priority that has one with an open key. */
const topOf = (channels: readonly RoutedChannel[], isOpen: (key: RoutedChannel) => boolean): OpenChannel[] => {
  let top: OpenChannel[] = [];
  for (const channel of channels) {
    if (channel.provider === null) continue;
    const priority = top[0]?.channel.priority;
    if (priority !== undefined && channel.priority < priority) continue;
    const channelKeys = channel.channelKeys.filter(isOpen);
    if (channelKeys.length === 0) continue;
    if (priority === undefined || channel.priority > priority) top = [];
    top.push({ channel, channelKeys });
  }
  return top;
};

/** The candidates: the channels of the highest priority that is not paused, or of the highest if all are; none at its rate limit. */
export const choosable = (
  candidates: readonly RoutedChannel[],
  { model, failedKeys, breaker, isFull }: Pick<Choosing, 'model' | 'failedKeys' | 'breaker' | 'isFull'>,
): OpenChannel[] => {
  const isLeft = (key: RoutedChannel): boolean => !failedKeys.has(key) && isFull?.(key) !== true;
  const top = topOf(candidates, (key) => isLeft(key) && breaker.coolDownOf(key, model) === null);
  return top.length > 0 ? top : topOf(candidates, isLeft);
};

const byWeight = (top: readonly OpenChannel[], random: Random): OpenChannel | undefined => {
  const total = top.reduce((sum, { channel }) => sum + channel.weight, 0);
  if (total === 0) return top[Math.floor(random() * top.length)];
  let left = random() * total;
  for (const open of top) {
    left -= open.channel.weight;
    if (left < 0) return open;
  }
  return top.findLast(({ channel }) => channel.weight > 0);
};

/**
 * Chooses a channel and one of its keys: the highest priority first; there the one that served the conversation before,
 * else at random by weight; where all weights are 0 each is as likely as the other. Null: none is left.
 */
export const chooseChannel = (candidates: readonly RoutedChannel[], choosing: Choosing): RoutedChannel | null => {
  const { stickyKey, random } = choosing;
  const top = choosable(candidates, choosing);
  if (stickyKey !== null) {
    for (const { channelKeys } of top) {
      const known = channelKeys.find(({ channelKey }) => channelKey === stickyKey);
      if (known !== undefined) return known;
    }
  }
  const channelKeys = byWeight(top, random)?.channelKeys ?? [];
  return channelKeys.length < 2
    ? (channelKeys[0] ?? null)
    : (channelKeys[Math.floor(random() * channelKeys.length)] ?? null);
};
