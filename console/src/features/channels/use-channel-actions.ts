import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { useMemo } from 'react';
import { confirm } from '../../components/overlay/overlays.ts';
import { failureKind, failureText } from '../../lib/api/failure-text.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { offerUndo } from '../../lib/undo.ts';
import { m } from '../../paraglide/messages.js';
import { runTest } from './channel-tests.ts';
import { change, remove } from './queries.ts';

/** What a row of the channel list can be told to do. */
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

type Member = { readonly status: 1 | 2 } | { readonly priority: number } | { readonly weight: number };

/** Saves a change and offers to take it back. */
const save = async (client: QueryClient, channel: Channel, next: Member, before: Member): Promise<void> => {
  try {
    await change(client, channel, next);
    toast('success', m.operation_done());
    const name = 'status' in next ? 'status' : 'priority' in next ? 'priority' : 'weight';
    offerUndo(undoKey(channel, name), () => void save(client, channel, before, next));
  } catch (error) {
    toastFailure(error);
  }
};

const askAndRemove = async (client: QueryClient, channel: Channel): Promise<void> => {
  const { name } = channel;
  const question = {
    title: m.channel_delete_title({ name }),
    text: m.channel_delete_text({ name }),
    verb: m.channel_delete(),
  };
  if (!(await confirm({ ...question, danger: true }))) return;
  try {
    await remove(client, channel);
    toast('success', m.operation_done());
  } catch (error) {
    toastFailure(error);
  }
};

export const testAndTell = async (
  client: QueryClient,
  channel: Pick<Channel, 'id' | 'name'>,
  model?: string,
): Promise<void> => {
  try {
    const seconds = await runTest(client, channel.id, model === undefined ? {} : { model });
    toast('success', m.channel_tested_toast({ name: channel.name, seconds: seconds.toFixed(2) }));
  } catch (error) {
    toast(failureKind(error), m.channel_test_failed_toast({ name: channel.name, reason: failureText(error) }));
  }
};

export const useChannelActions = (): ChannelActions => {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMemo(
    () => ({
      edit: ({ id }) => void navigate({ to: '/channel/edit/$id', params: { id: String(id) } }),
      flip: (channel) => {
        const enabled = channel.status === channelStatus.enabled;
        return save(client, channel, { status: enabled ? 2 : 1 }, { status: enabled ? 1 : 2 });
      },
      setPriority: (channel, priority) => void save(client, channel, { priority }, { priority: channel.priority }),
      setWeight: (channel, weight) => void save(client, channel, { weight }, { weight: channel.weight }),
      test: (channel) => void testAndTell(client, channel),
      remove: (channel) => void askAndRemove(client, channel),
    }),
    [client, navigate],
  );
};
