import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { Channel } from '@weir/contract/channels';
import { useMemo } from 'react';
import { confirmRemoval, report } from '../../components/list/row-actions.ts';
import { failureKind, failureText } from '../../lib/api/failure-text.ts';
import { toast } from '../../lib/toasts.ts';
import { offerUndo } from '../../lib/undo.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { isTesting, runTest } from './channel-tests.ts';
import { change, oppositeOf, remove } from './queries.ts';
import type { SwitchStatus } from './queries.ts';

/** The actions of a row of the channel list. */
export interface ChannelActions {
  readonly edit: (channel: Channel) => void;
  readonly flip: (channel: Channel) => Promise<void>;
  readonly setPriority: (channel: Channel, priority: number) => void;
  readonly setWeight: (channel: Channel, weight: number) => void;
  readonly test: (channel: Channel) => void;
  readonly remove: (channel: Channel) => void;
}

export const undoKey = (channel: Channel, member: 'status' | 'priority' | 'weight'): string =>
  `channel:${channel.id}:${member}`;

type Member = { readonly status: SwitchStatus } | { readonly priority: number } | { readonly weight: number };

/** Saves a change and offers to undo it. */
const save = async (client: QueryClient, channel: Channel, next: Member, before: Member): Promise<void> => {
  if (!(await report(change(client, channel, next)))) return;
  const name = 'status' in next ? 'status' : 'priority' in next ? 'priority' : 'weight';
  offerUndo(undoKey(channel, name), () => void save(client, channel, before, next));
};

/** Resolves to whether the channel answered. */
export const testAndReport = async (
  client: QueryClient,
  channel: Pick<Channel, 'id' | 'name'>,
  model?: string,
): Promise<boolean> => {
  try {
    const seconds = await runTest(client, channel.id, model === undefined ? {} : { model });
    toast('success', m.channel_tested_toast({ name: channel.name, seconds: seconds.toFixed(2) }));
    return true;
  } catch (error) {
    toast(failureKind(error), m.channel_test_failed_toast({ name: channel.name, reason: failureText(error) }));
    return false;
  }
};

export const useChannelActions = (): ChannelActions => {
  const client = useQueryClient();
  return useMemo(
    () => ({
      edit: ({ id }) => void navigate(`/channel/edit/${id}`, { keepSearch: true }),
      flip: (channel) => {
        const next = oppositeOf(channel.status);
        return save(client, channel, { status: next }, { status: oppositeOf(next) });
      },
      setPriority: (channel, priority) => void save(client, channel, { priority }, { priority: channel.priority }),
      setWeight: (channel, weight) => void save(client, channel, { weight }, { weight: channel.weight }),
      // A test is a paid request: a double click starts one.
      test: (channel) => void (isTesting(channel.id) || testAndReport(client, channel)),
      remove: (channel) =>
        void confirmRemoval(
          {
            title: m.channel_delete_title({ name: channel.name }),
            text: m.channel_delete_text({ name: channel.name }),
            verb: m.channel_delete(),
          },
          () => remove(client, channel),
        ),
    }),
    [client],
  );
};
