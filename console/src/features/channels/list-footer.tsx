import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/overlays.ts';
import { currentStatus } from '../../lib/status.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AddLink } from './add-link.tsx';
import { listDisabled, refreshChannels, removeDisabled, startTests } from './operations.ts';
import type { TestScope } from './operations.ts';

/** Servers that do not tell how far the tests are: the list is read again for a minute. */
const blindRefreshMs = 5000;
const blindRefreshes = 12;

const refreshBlindly = (client: QueryClient): void => {
  if (currentStatus().build !== undefined) return;
  for (let turn = 1; turn <= blindRefreshes; turn += 1) {
    setTimeout(() => void refreshChannels(client), turn * blindRefreshMs);
  }
};

const start = async (client: QueryClient, scope: TestScope): Promise<void> => {
  await startTests(client, scope);
  toast('success', m.channel_tests_started());
  refreshBlindly(client);
};

const askAndDelete = async (client: QueryClient): Promise<void> => {
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

type Work = TestScope | 'delete';

interface ListFooterProps {
  readonly onRefresh: () => void;
  readonly fetching: boolean;
}

/** What can be done with many channels at once. */
export const ListFooter = ({ onRefresh, fetching }: ListFooterProps) => {
  const t = useT();
  const client = useQueryClient();
  const [busy, setBusy] = useState<Work>();
  const run = async (work: Work): Promise<void> => {
    setBusy(work);
    try {
      await (work === 'delete' ? askAndDelete(client) : start(client, work));
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <>
      <AddLink look="plain" />
      <Button icon="play" busy={busy === 'all'} onClick={() => void run('all')}>
        {t(m.channel_test_all)}
      </Button>
      <Button icon="play" busy={busy === 'disabled'} onClick={() => void run('disabled')}>
        {t(m.channel_test_disabled)}
      </Button>
      <Button icon="trash" look="quiet-danger" busy={busy === 'delete'} onClick={() => void run('delete')}>
        {t(m.channel_delete_disabled)}
      </Button>
      <Button icon="refresh" aria-keyshortcuts="r" busy={fetching} onClick={onRefresh}>
        {t(m.refresh)}
      </Button>
    </>
  );
};
