import { useQueryClient } from '@tanstack/react-query';
import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { useState } from 'react';
import { Button, buttonClass } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Select } from '../../../components/form/select.tsx';
import { splitList } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { testAndReport, useChannelActions } from '../use-channel-actions.ts';

/** Test the channel with a chosen model, enable or disable it, edit it. */
export const HealthActions = ({ channel }: { readonly channel: Channel }) => {
  const t = useT();
  const client = useQueryClient();
  const actions = useChannelActions();
  const [model, setModel] = useState('');
  const [busy, setBusy] = useState(false);
  const models = splitList(channel.models).map((name) => [name, name] as const);
  const again = (): Promise<void> => client.invalidateQueries({ queryKey: ['channel', channel.id] });
  const test = async (): Promise<void> => {
    setBusy(true);
    await testAndReport(client, channel, model);
    await again();
    setBusy(false);
  };
  const enabled = channel.status === channelStatus.enabled;
  return (
    <div className="flex flex-wrap gap-2">
      <Select
        aria-label={t(m.health_test_model)}
        value={model}
        choices={[['', t(m.health_test_default)], ...models]}
        onPick={setModel}
        className="w-44"
      />
      <Button sends icon="play" busy={busy} onClick={() => void test()}>
        {t(m.channel_test)}
      </Button>
      <Button sends icon={enabled ? 'pause' : 'check'} onClick={() => void actions.flip(channel).then(again)}>
        {t(enabled ? m.disable : m.enable)}
      </Button>
      <a className={buttonClass('primary')} href={`/channel/edit/${channel.id}`}>
        <Icon name="edit" />
        {t(m.health_edit)}
      </a>
    </div>
  );
};
