import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { toastFailure } from '../../../lib/toasts.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { TestScope } from '../operations.ts';

type Work = TestScope | 'delete';

/** The actions on many channels at once. */
export const ListWorkButtons = () => {
  const t = useT();
  const client = useQueryClient();
  const [busy, setBusy] = useState<Work>();
  const run = async (work: Work): Promise<void> => {
    setBusy(work);
    try {
      // Loaded on demand: most visits to the list run none.
      const { askAndDelete, start } = await import('./list-work.ts');
      await (work === 'delete' ? askAndDelete(client) : start(client, work));
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <>
      <Button sends icon="play" busy={busy === 'all'} onClick={() => void run('all')}>
        {t(m.channel_test_all)}
      </Button>
      <Button sends icon="play" busy={busy === 'disabled'} onClick={() => void run('disabled')}>
        {t(m.channel_test_disabled)}
      </Button>
      <Button sends icon="trash" look="quiet-danger" busy={busy === 'delete'} onClick={() => void run('delete')}>
        {t(m.channel_delete_disabled)}
      </Button>
    </>
  );
};
