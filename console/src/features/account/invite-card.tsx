import { getInviteCode } from '@weir/contract/users';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyField } from '../../components/text/copy-field.tsx';
import { call } from '../../lib/api/call.ts';
import { toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AccountCard } from './account-card.tsx';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';

/** The link that registers new users as invited by this account. */
export const InviteCard = () => {
  const t = useT();
  const [link, setLink] = useState('');
  const [busy, setBusy] = useState(false);
  const copy = async (): Promise<void> => {
    setBusy(true);
    try {
      const code = await call(getInviteCode);
      const made = `${location.origin}/register?aff=${encodeURIComponent(code)}`;
      setLink(made);
      await copyAloud(made, m.personal_invite_done());
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <AccountCard title={t(m.personal_invite)} text={t(m.personal_invite_hint)}>
      {link !== '' && (
        <CopyField
          text={link}
          label={t(m.personal_invite)}
          copyLabel={t(m.personal_invite_copy)}
          done={t(m.personal_invite_done)}
        />
      )}
      <div>
        <Button icon="link" busy={busy} onClick={() => void copy()}>
          {t(m.personal_invite_button)}
        </Button>
      </div>
    </AccountCard>
  );
};
