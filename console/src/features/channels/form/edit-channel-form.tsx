import { useQueryClient } from '@tanstack/react-query';
import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { useState } from 'react';
import { toast } from '../../../lib/toasts.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { ChannelForm } from './channel-form.tsx';
import { valuesOf } from './channel-values.ts';
import { update } from '../queries.ts';
import { neededPrices, storePrices } from './model-prices.ts';
import { useChannelForm } from './use-channel-form.ts';
import { testAndReport } from '../use-channel-actions.ts';

export const EditChannelForm = ({ channel }: { readonly channel: Channel }) => {
  const t = useT();
  const client = useQueryClient();
  // As first loaded: a refetch while the form is open must not overwrite what was typed.
  const [initial] = useState(() => valuesOf(channel));
  const [values, setValues] = useState(initial);
  const [key, setKey] = useState('');
  const form = useChannelForm({
    values,
    initial,
    back: () => `/channel${location.search}`,
    key,
    keyNeeded: false,
    save: async (fields) => {
      const prices = await neededPrices(values, channel.id);
      await update(client, channel.id, fields);
      await storePrices(client, prices, [channel.id]);
      toast('success', m.channel_updated());
    },
    test: async () => {
      const works = await testAndReport(client, { id: channel.id, name: values.name });
      if (works && channel.status !== channelStatus.enabled)
        toast('warning', m.channel_still_disabled({ name: values.name }));
    },
  });
  return (
    <ChannelForm
      reason={channel.status === channelStatus.autoDisabled ? (channel.status_reason ?? '') : ''}
      title={t(m.channel_edit_title)}
      {...form}
      values={values}
      id={channel.id}
      automatic={false}
      secret={{ key, batch: false, batchAllowed: false, stored: true }}
      onChange={(changes) => setValues({ ...values, ...changes })}
      onKey={setKey}
      onBatch={() => undefined}
    />
  );
};
