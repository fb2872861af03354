import type { ChannelActivity } from '@weir/contract/channel-health';
import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import type { Tone } from '../../components/text/badge.tsx';
import { splitList } from '../../lib/format/format.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { Activity } from './activity.ts';
import type { ChannelsSearch, channelViews } from './list/channels-search.ts';

interface Band {
  readonly tone: Tone;
  readonly word: Message;
  /** Filled segments of the bar, of 4: all of them are the fastest. */
  readonly bar: 0 | 1 | 2 | 3 | 4;
}

/** Rating of a channel's response time in milliseconds; 0 is untested (specification §4). */
export const bandOf = (responseMs: number): Band => {
  if (responseMs <= 0) return { tone: 'off', word: m.channel_untested, bar: 0 };
  if (responseMs <= 1000) return { tone: 'ok', word: m.channel_band_fast, bar: 4 };
  if (responseMs <= 3000) return { tone: 'olive', word: m.channel_band_fair, bar: 3 };
  return responseMs <= 5000
    ? { tone: 'warn', word: m.channel_band_slow, bar: 2 }
    : { tone: 'bad', word: m.channel_band_poor, bar: 1 };
};

export const slowMs = 5000;

/** Label and tone of a channel's status; numbers of other releases are unknown, not an error. */
export const statusOf = (status: number): readonly [text: Message, tone: Tone] => {
  switch (status) {
    case channelStatus.enabled:
      return [m.channel_status_enabled, 'ok'];
    case channelStatus.disabled:
      return [m.channel_status_disabled, 'off'];
    case channelStatus.autoDisabled:
      return [m.channel_status_auto, 'warn'];
    default:
      return [m.channel_status_unknown, 'off'];
  }
};

type View = (typeof channelViews)[number];

/** The values that the filters apply to. */
type Filtered = Pick<Channel, 'id' | 'status' | 'type' | 'group' | 'models' | 'response_time'>;

const kept: Record<View, (channel: Filtered, traffic: ChannelActivity | undefined) => boolean> = {
  enabled: ({ status }) => status === channelStatus.enabled,
  auto: ({ status }) => status === channelStatus.autoDisabled,
  disabled: ({ status }) => status === channelStatus.disabled,
  untested: ({ response_time: ms }) => ms === 0,
  slow: ({ response_time: ms }) => ms > slowMs,
  failing: (_, traffic) => (traffic?.failed ?? 0) > 0,
};

const isWithin = (bound: string, ms: number): boolean => {
  const limitMs = Number(bound.slice(1)) * 1000;
  return ms > 0 && (bound.startsWith('<') ? ms <= limitMs : ms > limitMs);
};

/** Whether a filter is set that the server does not support: it applies to the loaded channels. */
export const isFiltered = ({ view, type, group, model, took }: ChannelsSearch): boolean =>
  [view, type, group, model, took].some((value) => value !== undefined);

/** Whether a channel passes all filters. */
export const passes = (
  channel: Filtered,
  { view, type, group, model, took }: ChannelsSearch,
  activity?: Activity,
): boolean =>
  (view === undefined || kept[view](channel, activity?.get(channel.id))) &&
  (type === undefined || channel.type === type) &&
  (group === undefined || splitList(channel.group).includes(group)) &&
  (model === undefined || splitList(channel.models).includes(model)) &&
  (took === undefined || isWithin(took, channel.response_time));
