import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import type { Tone } from '../../components/badge.tsx';
import type { Message } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { channelViews } from './channels-search.ts';
import { slowMs } from './response-band.ts';

/** The word and tone of a channel's status; numbers of other releases are unknown, not an error. */
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

const kept: Record<View, (channel: Channel) => boolean> = {
  enabled: ({ status }) => status === channelStatus.enabled,
  auto: ({ status }) => status === channelStatus.autoDisabled,
  disabled: ({ status }) => status === channelStatus.disabled,
  untested: ({ response_time: ms }) => ms === 0,
  slow: ({ response_time: ms }) => ms > slowMs,
};

/** What a view and a chosen type keep of the loaded channels; undefined: everything. */
export const keeper = (
  view: View | undefined,
  type: number | undefined,
): ((channel: Channel) => boolean) | undefined => {
  if (view === undefined && type === undefined) return undefined;
  return (channel) => (view === undefined || kept[view](channel)) && (type === undefined || channel.type === type);
};
