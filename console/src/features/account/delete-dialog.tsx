import { deleteSelf, logout } from '@weir/contract/users';
import { useState } from 'react';
import { Field } from '../../components/form/field.tsx';
import { FormDialog } from '../../components/overlay/form-dialog.tsx';
import { Input } from '../../components/form/input.tsx';
import { call } from '../../lib/api/call.ts';
import { focusOnMount } from '../../lib/hooks/focus-on-mount.ts';
import { forgetUser } from '../../lib/api/session.ts';
import { toastAfterLoad, toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

interface DeleteDialogProps {
  readonly username: string;
  readonly onClose: () => void;
}

/** Deletes the own account after its name was typed; a full page load clears the memory. */
export const DeleteDialog = ({ username, onClose }: DeleteDialogProps) => {
  const t = useT();
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setWrong(name !== username);
    if (name !== username) return;
    setBusy(true);
    try {
      await call(deleteSelf);
      // Other servers of the contract keep the session of a deleted account.
      await call(logout).catch(() => undefined);
    } catch (error) {
      toastFailure(error);
      setBusy(false);
      return;
    }
    forgetUser();
    toastAfterLoad('success', m.personal_deleted());
    location.assign('/login');
  };
  return (
    <FormDialog
      title={t(m.personal_danger)}
      text={t(m.personal_danger_hint)}
      verb={t(m.personal_delete)}
      danger
      busy={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field
        label={t(m.personal_delete_label)}
        // A separate box: hints begin with a capital letter, and the name must be typed exactly.
        hint={<b className="inline-block font-medium text-ink">{username}</b>}
        error={wrong ? t(m.personal_delete_wrong) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            ref={focusOnMount}
            value={name}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
};
