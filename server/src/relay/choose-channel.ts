import type { RoutedChannel } from './routing-table.ts';

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/**
 * Chooses among the channels not tried yet: the highest priority first, within it at random by weight; where all weights
 * are 0 each is as likely as the other. Null: none is left.
 */
export const chooseChannel = (
  candidates: readonly RoutedChannel[],
  tried: ReadonlySet<number>,
  random: Random,
): RoutedChannel | null => {
  let top: RoutedChannel[] = [];
  for (const channel of candidates) {
    if (channel.provider === null || tried.has(channel.id)) continue;
    const priority = top[0]?.priority;
    if (priority === undefined || channel.priority > priority) top = [channel];
    else if (channel.priority === priority) top.push(channel);
  }
  const total = top.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return top[Math.floor(random() * top.length)] ?? null;
  let left = random() * total;
  for (const channel of top) {
    left -= channel.weight;
    if (left < 0) return channel;
  }
  return top.findLast(({ weight }) => weight > 0) ?? null;
};
