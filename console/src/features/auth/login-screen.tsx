import { login } from '@weir/contract/users';
import { useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { Notice } from '../../components/notice.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { asText } from '../../lib/format/as-text.ts';
import { call } from '../../lib/api/call.ts';
import { failureText } from '../../lib/api/failure-text.ts';
import { focusOnMount } from '../../lib/hooks/focus-on-mount.ts';
import { landing, takeReturnPath } from '../../lib/api/paths.ts';
import { storeUser } from '../../lib/api/session.ts';
import { useStatus } from '../../lib/api/status.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AuthCard } from './auth-card.tsx';
import { ExternalLogins } from './external-logins.tsx';
import { SubmitButton } from './submit-button.tsx';

export interface AuthScreenProps {
  /** Opens a screen of the app without a page load. */
  readonly openApp: (path: string) => Promise<void>;
  /** Preloads the app while the form is being filled in. */
  readonly fetchApp: () => void;
  /** Whether a path has a screen: links to other paths are left out. */
  readonly hasScreen: (path: string) => boolean;
}

const passwordPath = '/user/edit';

/** The default credentials of other servers of the contract, which do not report them (ruling 12). */
const isFactoryLogin = (username: string, password: string): boolean => username === 'root' && password === '123456';

const textOf = (form: FormData, name: string): string => asText(form.get(name)) ?? '';

const useLogin = ({ openApp }: AuthScreenProps) => {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const password = useRef<HTMLInputElement>(null);
  // A second press before the button is drawn as busy would sign in twice.
  const running = useRef(false);
  const signIn = async (form: FormData): Promise<void> => {
    if (running.current) return;
    running.current = true;
    const given = { username: textOf(form, 'username').trim(), password: textOf(form, 'password') };
    setBusy(true);
    setRefusal('');
    try {
      const user = await call(login, { body: given });
      storeUser(user);
      const mustChange = user.must_change_password === true || isFactoryLogin(given.username, given.password);
      const path = takeReturnPath();
      await openApp(mustChange ? passwordPath : (path ?? landing));
      // The app replaces this page, and the messages on it.
      toast('success', m.login_success());
      if (mustChange) toast('warning', m.login_default_password());
    } catch (error) {
      setRefusal(failureText(error));
      toastFailure(error);
      setBusy(false);
      running.current = false;
      password.current?.select();
    }
  };
  return { busy, refusal, password, signIn };
};

const expired = (): boolean => new URLSearchParams(location.search).has('expired');

export const LoginScreen = (props: AuthScreenProps) => {
  const t = useT();
  const status = useStatus();
  const { busy, refusal, password, signIn } = useLogin(props);
  const [empty, setEmpty] = useState<'username' | 'password'>();
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const missing = (['username', 'password'] as const).find((name) => !textOf(form, name).trim());
    setEmpty(missing);
    if (missing === undefined) void signIn(form);
    else event.currentTarget.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus();
  };
  const errorOf = (name: 'username' | 'password'): string | undefined =>
    empty === name ? t(m.login_field_empty) : undefined;
  return (
    <AuthCard title={t(m.login_title)} below={<Links {...props} />}>
      <form noValidate className="flex flex-col gap-4" onSubmit={submit} onInput={props.fetchApp}>
        {expired() && !refusal && <Notice tone="warn">{t(m.error_not_signed_in)}</Notice>}
        {status.password_login_enabled === false && <Notice tone="info">{t(m.login_password_closed)}</Notice>}
        {refusal && (
          <Notice tone="bad" alert>
            {refusal}
          </Notice>
        )}
        <Field label={t(m.login_name)} error={errorOf('username')}>
          {(control) => (
            <Input
              {...control}
              tall
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              ref={focusOnMount}
              required
            />
          )}
        </Field>
        <Field label={t(m.login_password)} error={errorOf('password')}>
          {(control) => (
            <PasswordInput {...control} ref={password} tall name="password" autoComplete="current-password" required />
          )}
        </Field>
        <SubmitButton busy={busy}>{t(m.sign_in)}</SubmitButton>
      </form>
      <ExternalLogins openApp={props.openApp} />
    </AuthCard>
  );
};

const Links = ({ hasScreen }: AuthScreenProps) => {
  const t = useT();
  const { register_enabled: open } = useStatus();
  const link = 'rounded-control text-13 text-brand underline-offset-2 hover:underline';
  return (
    <div className="mt-4 flex justify-between gap-4">
      {hasScreen('/reset') && (
        <a className={link} href="/reset">
          {t(m.login_forgot)}
        </a>
      )}
      {hasScreen('/register') && open !== false && (
        <a className={link} href="/register">
          {t(m.login_create_account)}
        </a>
      )}
    </div>
  );
};
