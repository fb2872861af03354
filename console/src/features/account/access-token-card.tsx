import { createAccessToken } from '@weir/contract/users';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyField } from '../../components/text/copy-field.tsx';
import { call } from '../../lib/api/call.ts';
import { toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AccountCard } from './account-card.tsx';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';

/** Creates an access token; it is shown once, until the page is left. */
export const AccessTokenCard = () => {
  const t = useT();
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const generate = async (): Promise<void> => {
    setBusy(true);
    try {
      const made = await call(createAccessToken);
      setToken(made);
      await copyAloud(made, m.personal_token_done());
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <AccountCard title={t(m.personal_token)} text={t(m.personal_token_hint)}>
      {token !== '' && <CopyField text={token} label={t(m.personal_token)} copyLabel={t(m.personal_token_copy)} />}
      <div>
        <Button sends icon="key" busy={busy} onClick={() => void generate()}>
          {t(m.personal_token_generate)}
        </Button>
      </div>
    </AccountCard>
  );
};
