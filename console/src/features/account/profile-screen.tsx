import { useQuery, useQueryClient } from '@tanstack/react-query';
import { passwordLength, updateSelf, usernameMax } from '@weir/contract/users';
import type { SignedInUser, User } from '@weir/contract/users';
import { useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { Failure } from '../../components/failure.tsx';
import { Field } from '../../components/form/field.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { Input } from '../../components/form/input.tsx';
import { Notice } from '../../components/notice.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { useLeaveGuard } from '../../components/form/use-leave-guard.ts';
import { call } from '../../lib/api/call.ts';
import { selfQuery } from '../../lib/api/self.ts';
import { storeUser, useUser } from '../../lib/api/session.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** External accounts, read-only: they are bound in the settings. */
const BoundFields = ({ account }: { readonly account: User }) => {
  const t = useT();
  const bound = [
    [t(m.profile_github_id), account.github_id],
    [t(m.profile_wechat_id), account.wechat_id],
    [t(m.profile_email), account.email],
    ...(account.oidc_id === '' ? [] : [[t(m.personal_oidc), account.oidc_id] as const]),
    ...(account.lark_id === '' ? [] : [[t(m.personal_lark), account.lark_id] as const]),
  ] as const;
  return (
    <div className="grid grid-cols-2 gap-5 max-md:grid-cols-1">
      {bound.map(([label, value]) => (
        <Field key={label} label={label}>
          {(control) => <Input {...control} readOnly value={value} placeholder={t(m.personal_unbound)} />}
        </Field>
      ))}
    </div>
  );
};

const displayNameMax = 20;
/** Link back from the profile. */
const backPath = '/setting';

/** The own account: user name, display name, password. */
export const ProfileScreen = () => {
  const t = useT();
  const { data, error, refetch } = useQuery(selfQuery);
  if (data) return <ProfileForm account={data} />;
  return (
    <FormFrame title={t(m.profile_title)} footer={null}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={3} />}
    </FormFrame>
  );
};

interface Values {
  readonly username: string;
  readonly display_name: string;
  readonly password: string;
}

/** The changed members: the server keeps the others. */
const changed = (values: Values, initial: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== Reflect.get(initial, name)));

const problemOf = ({ username, password }: Values): 'username' | 'password' | undefined => {
  if (username.trim() === '') return 'username';
  return password !== '' && password.length < passwordLength.min ? 'password' : undefined;
};

const useProfileForm = (account: SignedInUser) => {
  const client = useQueryClient();
  const user = useUser();
  const initial = { username: account.username, display_name: account.display_name, password: '' };
  const [values, setValues] = useState<Values>(initial);
  const [problem, setProblem] = useState<'username' | 'password'>();
  const [busy, setBusy] = useState(false);
  useLeaveGuard(!busy && JSON.stringify(values) !== JSON.stringify(initial));
  const save = async (): Promise<void> => {
    const wrong = problemOf(values);
    setProblem(wrong);
    if (wrong !== undefined || busy) return;
    setBusy(true);
    try {
      await call(updateSelf, { body: changed(values, initial) });
      toast('success', m.profile_updated());
      const settled = { ...values, password: '' };
      setValues(settled);
      if (user)
        storeUser({
          ...user,
          username: values.username,
          display_name: values.display_name,
          must_change_password: values.password === '' && user.must_change_password === true,
        });
      await client.invalidateQueries({ queryKey: selfQuery.queryKey });
      // The password change that the sign-in requires is saved.
      if (user?.must_change_password && values.password !== '') await navigate('/', { ignoreGuards: true });
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return { values, problem, busy, save, change: (changes: Partial<Values>) => setValues({ ...values, ...changes }) };
};

const ProfileForm = ({ account }: { readonly account: SignedInUser }) => {
  const t = useT();
  const user = useUser();
  const { values, problem, busy, save, change } = useProfileForm(account);
  return (
    <FormFrame
      title={t(m.profile_title)}
      onSubmit={() => void save()}
      footer={
        <>
          <a className={buttonClass('plain')} href={backPath}>
            {t(m.cancel)}
          </a>
          <Button type="submit" sends look="primary" busy={busy}>
            {t(m.save)}
          </Button>
        </>
      }
    >
      {user?.must_change_password && (
        <Notice tone="bad" alert>
          {t(m.profile_default_password)}
        </Notice>
      )}
      <ProfileFields values={values} problem={problem} onChange={change} />
      <BoundFields account={account} />
    </FormFrame>
  );
};

interface ProfileFieldsProps {
  readonly values: Values;
  readonly problem: 'username' | 'password' | undefined;
  readonly onChange: (changes: Partial<Values>) => void;
}

const ProfileFields = ({ values, problem, onChange }: ProfileFieldsProps) => {
  const t = useT();
  return (
    <>
      <Field label={t(m.profile_username)} error={problem === 'username' ? t(m.profile_username_empty) : undefined}>
        {(control) => (
          <Input
            {...control}
            value={values.username}
            maxLength={usernameMax}
            autoComplete="username"
            onChange={(event) => onChange({ username: event.target.value })}
          />
        )}
      </Field>
      <Field label={t(m.profile_display_name)}>
        {(control) => (
          <Input
            {...control}
            value={values.display_name}
            maxLength={displayNameMax}
            autoComplete="nickname"
            onChange={(event) => onChange({ display_name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={t(m.profile_password)}
        hint={t(m.profile_password_hint)}
        error={problem === 'password' ? t(m.profile_password_short) : undefined}
      >
        {(control) => (
          <PasswordInput
            {...control}
            value={values.password}
            placeholder={t(m.profile_password_placeholder)}
            autoComplete="new-password"
            onChange={(event) => onChange({ password: event.target.value })}
          />
        )}
      </Field>
    </>
  );
};
