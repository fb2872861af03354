import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import type { MenuEntry } from '../../components/overlays.ts';
import type { Translate } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { ChannelActions } from './use-channel-actions.ts';

export const channelEntries = (channel: Channel, actions: ChannelActions, t: Translate): readonly MenuEntry[] => {
  const enabled = channel.status === channelStatus.enabled;
  return [
    { kind: 'action', icon: 'play', text: t(m.channel_test), run: () => actions.test(channel) },
    { kind: 'action', icon: 'edit', text: t(m.edit), keys: 'E', run: () => actions.edit(channel) },
    {
      kind: 'action',
      icon: enabled ? 'pause' : 'check',
      text: t(enabled ? m.disable : m.enable),
      run: () => actions.flip(channel),
    },
    { kind: 'line' },
    { kind: 'action', icon: 'trash', text: t(m.channel_delete), danger: true, run: () => actions.remove(channel) },
  ];
};
