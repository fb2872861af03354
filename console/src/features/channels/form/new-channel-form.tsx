import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DraftNote } from '../../../components/form/draft-note.tsx';
import { toast } from '../../../lib/toasts.ts';
import { useDraft } from '../../../lib/hooks/use-draft.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { ChannelForm } from './channel-form.tsx';
import { blankChannel } from './channel-values.ts';
import { create, newestNamed } from '../queries.ts';
import { useChannelForm } from './use-channel-form.ts';
import { testAndReport } from '../use-channel-actions.ts';

export const NewChannelForm = () => {
  const t = useT();
  const client = useQueryClient();
  const { values, change, forget, ...draft } = useDraft('channel', blankChannel);
  const [key, setKey] = useState('');
  const [batch, setBatch] = useState(false);
  const form = useChannelForm({
    values,
    initial: blankChannel,
    key,
    keyNeeded: true,
    save: async (fields) => {
      await create(client, fields);
      forget();
      toast('success', m.channel_created());
    },
    test: async () => {
      const made = await newestNamed(values.name.trim());
      if (made) await testAndReport(client, made);
    },
  });
  return (
    <ChannelForm
      title={t(m.channel_new_title)}
      note={<DraftNote {...draft} />}
      {...form}
      values={values}
      secret={{ key, batch, batchAllowed: true, stored: false }}
      onChange={change}
      onKey={setKey}
      onBatch={setBatch}
    />
  );
};
