import type { QueryClient } from '@tanstack/react-query';
import type { ChannelTestRun } from '@weir/contract/channel-health';
import { confirm } from '../../../components/overlay/overlays.ts';
import { hasCapabilities } from '../../../lib/api/capabilities.ts';
import { currentStatus } from '../../../lib/api/status.ts';
import { toast } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { listDisabled, refreshChannels, removeDisabled, startTests } from '../operations.ts';
import type { TestScope } from '../operations.ts';

/** Other servers of the contract do not report progress: the list is read again for a minute. */
const blindRefreshMs = 5000;
const blindRefreshes = 12;

const refreshBlindly = (client: QueryClient): void => {
  if (hasCapabilities(currentStatus())) return;
  for (let turn = 1; turn <= blindRefreshes; turn += 1) {
    setTimeout(() => void refreshChannels(client), turn * blindRefreshMs);
  }
};

/** Starts a test of many channels. */
export const start = async (client: QueryClient, scope: TestScope): Promise<void> => {
  await startTests(client, scope);
  toast('success', m.channel_tests_started());
  refreshBlindly(client);
};

/** Shows the end of a test of many channels. */
export const reportTests = ({ cancelled, scope, tested, failed, total }: ChannelTestRun): void => {
  const done = scope === 'disabled' ? m.channel_tests_disabled_done : m.channel_tests_done;
  toast('info', cancelled ? m.channel_tests_cancelled({ tested, total }) : done({ tested, failed }));
};

/** Deletes every disabled channel after a confirmation that names them. */
export const askAndDelete = async (client: QueryClient): Promise<void> => {
  const disabled = await listDisabled();
  if (disabled.length === 0) {
    toast('info', m.channel_delete_disabled_none());
    return;
  }
  const goAhead = await confirm({
    title: m.channel_delete_disabled_title(),
    text: m.channel_delete_disabled_text({ count: disabled.length }),
    verb: m.channel_delete_disabled(),
    danger: true,
    list: disabled.map(({ name, id }) => name || String(id)),
  });
  if (goAhead) toast('success', m.channel_disabled_deleted({ count: await removeDisabled(client) }));
};
