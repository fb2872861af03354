import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AccountCard } from './account-card.tsx';

const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));

/** The way out. */
export const DangerCard = ({ username }: { readonly username: string }) => {
  const t = useT();
  const [asking, setAsking] = useState(false);
  return (
    <AccountCard title={t(m.personal_danger)} text={t(m.personal_danger_hint)} danger>
      <div>
        <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
          {t(m.personal_delete)}
        </Button>
      </div>
      {asking && (
        <Suspense>
          <DeleteDialog username={username} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </AccountCard>
  );
};
