import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DraftNote } from '../../../components/form/draft-note.tsx';
import { toast } from '../../../lib/toasts.ts';
import { useDraft } from '../../../lib/hooks/use-draft.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { parseSearch, stringifySearch } from '../../../lib/lists/search-params.ts';
import { m } from '../../../paraglide/messages.js';
import { ChannelForm } from './channel-form.tsx';
import { blankChannel, hasSeveralKeys, keysIn } from './channel-values.ts';
import type { ChannelValues } from './channel-values.ts';
import { create, newestNamed, typeModelsQuery } from '../queries.ts';
import { neededPrices, storeForNewest } from './model-prices.ts';
import { useChannelForm } from './use-channel-form.ts';
import { testAndReport } from '../use-channel-actions.ts';

/** The list as it was, at the page of the newest channels. */
const listAtNewest = (): string => `/channel${stringifySearch({ ...parseSearch(location.search), p: undefined })}`;

export const NewChannelForm = () => {
  const t = useT();
  const client = useQueryClient();
  const { values, change, forget, ...draft } = useDraft('channel', blankChannel);
  const { data: typeModels } = useQuery(typeModelsQuery);
  const [chosen, setChosen] = useState(values.models !== '');
  const automatic = !chosen;
  const withDefaults = (typed: ChannelValues): ChannelValues =>
    automatic ? { ...typed, models: [...new Set(typeModels?.[typed.type])].join(',') } : typed;
  const shown = withDefaults(values);
  const [key, setKey] = useState('');
  const [batch, setBatch] = useState(false);
  const form = useChannelForm({
    values: shown,
    initial: withDefaults(blankChannel),
    back: listAtNewest,
    key,
    keyNeeded: true,
    save: async (fields) => {
      const prices = await neededPrices(shown, undefined);
      await create(client, fields);
      await storeForNewest(client, prices, { ...shown, count: hasSeveralKeys(shown) ? 1 : keysIn(key).count });
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
      note={
        <DraftNote
          {...draft}
          restart={() => {
            draft.restart();
            setChosen(false);
          }}
        />
      }
      {...form}
      values={shown}
      automatic={automatic}
      secret={{ key, batch, batchAllowed: true, stored: false }}
      onChange={(changes) => {
        if ('models' in changes) setChosen(true);
        change(changes);
      }}
      onKey={setKey}
      onBatch={setBatch}
    />
  );
};
