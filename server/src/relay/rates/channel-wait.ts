import { RelayError } from '../client/relay-error.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import type { CallLimits } from './call-limits.ts';
import { secondsOf } from './limit-refusal.ts';

/** When a call may find room at a channel. */
export interface ChannelWait {
  /** Milliseconds; Infinity: no time is known. */
  readonly waitMs: number;
  /** Some channel has room once a running call ends. */
  readonly untilCallEnds: boolean;
}

/** How long none of the channels has room for a call; null: some have it, or there is no channel. */
export const channelWait = (
  limits: Pick<CallLimits, 'waitAt'>,
  channels: readonly RoutedChannel[],
): ChannelWait | null => {
  const waits = channels.flatMap(({ channelKeys }) => channelKeys).map((key) => limits.waitAt(key));
  const waitMs = Math.min(...waits);
  if (waits.length === 0 || waitMs === 0) return null;
  return { waitMs, untilCallEnds: waits.includes(Number.POSITIVE_INFINITY) };
};

/** The refusal of a call that does not wait. */
export const refusedByChannels = (model: string, { waitMs }: ChannelWait): RelayError =>
  new RelayError('rate_limit_channels', { model, wait: secondsOf(waitMs) });
