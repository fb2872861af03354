import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { useMemo } from 'react';
import { bulkRemoval } from '../../../components/list/row-actions.ts';
import type { BulkAction } from '../../../components/table/data-table-types.ts';
import { ask } from '../../../components/overlay/overlays.ts';
import { splitList } from '../../../lib/format/format.ts';
import { toast } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import type { ModelFields } from './model-change.ts';
import { change, remove } from '../queries.ts';
import { runTest } from '../channel-tests.ts';

const limitSeconds = 30;

/** Tests one of many channels, with a time limit so that a slow one does not block the others. */
const testLimited = async (client: QueryClient, id: number): Promise<void> => {
  const signal = AbortSignal.timeout(limitSeconds * 1000);
  await runTest(client, id, { limit: { signal, words: m.channel_test_late({ seconds: limitSeconds }) } });
};

/** Sets one priority for all selected channels. */
const setPriority = (client: QueryClient): BulkAction<Channel> => {
  let priority = 0;
  return {
    text: m.channel_bulk_priority,
    icon: 'up-down',
    allow: async () => {
      const typed = await ask({ title: m.channel_bulk_priority(), label: m.channel_priority(), verb: m.save() });
      if (typed === undefined) return false;
      priority = Number(typed);
      if (Number.isSafeInteger(priority)) return true;
      toast('error', m.number_not_whole());
      return false;
    },
    run: (channel) => change(client, channel, { priority }),
  };
};

/** Sets the same groups for all selected channels. */
const setGroups = (client: QueryClient): BulkAction<Channel> => {
  let group = '';
  return {
    text: m.channel_bulk_groups,
    icon: 'users',
    allow: async () => {
      const typed = await ask({ title: m.channel_bulk_groups(), label: m.channel_bulk_groups_label(), verb: m.save() });
      group = splitList(typed).join(',');
      return group !== '';
    },
    run: (channel) => change(client, channel, { group }),
  };
};

/** Adds, removes or copies models; each channel sends its own change. */
const setModels = (client: QueryClient): BulkAction<Channel> => {
  let fieldsOf: ((channel: Channel) => ModelFields | undefined) | undefined;
  return {
    text: m.channel_bulk_models,
    icon: 'tag',
    allow: async (channels) => {
      const { askForModels } = await import('./models-dialog.tsx');
      fieldsOf = await askForModels(channels);
      return fieldsOf !== undefined;
    },
    run: async (channel) => {
      const fields = fieldsOf?.(channel);
      if (fields) await change(client, channel, fields);
    },
  };
};

/** The actions for several selected channels. */
export const useBulkActions = (): readonly BulkAction<Channel>[] => {
  const client = useQueryClient();
  return useMemo(
    () => [
      { text: m.enable, icon: 'check', run: (channel) => change(client, channel, { status: channelStatus.enabled }) },
      { text: m.disable, icon: 'pause', run: (channel) => change(client, channel, { status: channelStatus.disabled }) },
      {
        text: m.channel_test,
        icon: 'play',
        run: ({ id }) => testLimited(client, id),
      },
      setPriority(client),
      setGroups(client),
      setModels(client),
      bulkRemoval({
        title: m.channel_delete_many_title,
        text: m.channel_delete_many_text,
        verb: m.channel_delete,
        nameOf: ({ name }) => name,
        run: (channel) => remove(client, channel),
      }),
    ],
    [client],
  );
};
