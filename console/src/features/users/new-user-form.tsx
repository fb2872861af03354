import { useQueryClient } from '@tanstack/react-query';
import { passwordLength } from '@weir/contract/users';
import { useState } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { CopyField } from '../../components/text/copy-field.tsx';
import { DraftNote } from '../../components/form/draft-note.tsx';
import { FormButtons } from '../../components/form/form-buttons.tsx';
import { DoneMark } from '../../components/done-mark.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { useSave } from '../../components/form/use-save.ts';
import { toast } from '../../lib/toasts.ts';
import { useDraft } from '../../lib/hooks/use-draft.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { NameFields } from './name-fields.tsx';
import { PasswordField } from './password-field.tsx';
import { create } from './queries.ts';
import type { NewUser } from './queries.ts';

const initial = { username: '', display_name: '' };

export const NewUserForm = () => {
  const t = useT();
  const client = useQueryClient();
  const { values, change, forget, ...draft } = useDraft('user', initial);
  const [password, setPassword] = useState('');
  const [short, setShort] = useState(false);
  const [made, setMade] = useState<NewUser>();
  const { busy, save } = useSave({ values: { ...values, password }, initial: { ...initial, password: '' } });
  const submit = (): void => {
    const user = { username: values.username.trim(), display_name: values.display_name.trim(), password };
    // An empty name or password blocks the form without a message (specification §5).
    if (user.username === '' || password === '') return;
    const isShort = [...password].length < passwordLength.min;
    setShort(isShort);
    if (isShort) return;
    save(async () => {
      await create(client, user);
      forget();
      toast('success', m.user_created());
      setMade(user);
    });
  };
  if (made) return <UserReady user={made} />;
  return (
    <FormFrame
      title={t(m.user_new_title)}
      onSubmit={submit}
      footer={<FormButtons cancelPath="/user" verb={t(m.create)} busy={busy} />}
    >
      <DraftNote {...draft} />
      <NameFields values={values} onChange={change} />
      <PasswordField value={password} error={short ? t(m.user_password_short) : undefined} onChange={setPassword} />
    </FormFrame>
  );
};

/** After creation: the credentials to pass on. */
const UserReady = ({ user }: { readonly user: NewUser }) => {
  const t = useT();
  return (
    <FormFrame
      title={user.username}
      footer={
        <a className={buttonClass('primary')} href="/user">
          {t(m.done)}
        </a>
      }
    >
      <DoneMark title={t(m.user_ready)} text={t(m.user_ready_text)} />
      <CopyField text={user.username} label={t(m.user_username)} copyLabel={t(m.user_copy_username)} />
      <CopyField text={user.password} label={t(m.user_password)} copyLabel={t(m.user_copy_password)} />
    </FormFrame>
  );
};
