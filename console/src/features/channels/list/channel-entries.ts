import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import type { MenuEntry } from '../../../components/overlay/overlays.ts';
import { hasCapabilities } from '../../../lib/api/capabilities.ts';
import { currentStatus } from '../../../lib/api/status.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelActions } from '../use-channel-actions.ts';

/** Other servers of the contract have no channel health. */
const healthLink = ({ id }: Channel, t: Translate): MenuEntry => ({
  kind: 'link',
  icon: 'info',
  text: t(m.channel_health),
  href: `/channel/${id}`,
});

export const channelEntries = (channel: Channel, actions: ChannelActions, t: Translate): readonly MenuEntry[] => {
  const enabled = channel.status === channelStatus.enabled;
  return [
    { kind: 'action', sends: true, icon: 'play', text: t(m.channel_test), run: () => actions.test(channel) },
    { kind: 'action', icon: 'edit', text: t(m.edit), keys: 'E', run: () => actions.edit(channel) },
    {
      kind: 'action',
      sends: true,
      icon: enabled ? 'pause' : 'check',
      text: t(enabled ? m.disable : m.enable),
      run: () => void actions.flip(channel),
    },
    ...(hasCapabilities(currentStatus()) ? [healthLink(channel, t)] : []),
    { kind: 'line' },
    {
      kind: 'action',
      sends: true,
      icon: 'trash',
      text: t(m.channel_delete),
      danger: true,
      run: () => actions.remove(channel),
    },
  ];
};
