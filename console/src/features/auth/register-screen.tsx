import { invitationCodeLength, register } from '@weir/contract/registration';
import { usernameMax } from '@weir/contract/users';
import { useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import { Field } from '../../components/form/field.tsx';
import { HumanCheck } from '../../components/identity/human-check.tsx';
import { Input } from '../../components/form/input.tsx';
import { Notice } from '../../components/notice.tsx';
import { PasswordInput } from '../../components/form/password-input.tsx';
import { SendCodeButton } from '../../components/identity/send-code-button.tsx';
import { call } from '../../lib/api/call.ts';
import { failureText } from '../../lib/api/failure-text.ts';
import type { EmailProblem } from '../../lib/format/email-problem.ts';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { focusOnMount } from '../../lib/hooks/focus-on-mount.ts';
import { useStatus } from '../../lib/api/status.ts';
import { readText, removeText, writeText } from '../../lib/browser/storage.ts';
import { toastAfterLoad, toastFailure } from '../../lib/toasts.ts';
import { useHuman } from '../../lib/hooks/use-human.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AuthCard } from './auth-card.tsx';
import { ExternalLogins } from './external-logins.tsx';
import type { AuthScreenProps } from './login-screen.tsx';
import { passwordStrength } from './password-strength.ts';
import { emptyRegistration, findProblems } from './register-values.ts';
import type { Problem, Problems, RegisterValues } from './register-values.ts';
import { SubmitButton } from './submit-button.tsx';

/** Stores an invite code from the address, for this visit or a later one. */
const takeInvite = (): string => {
  const given = new URLSearchParams(location.search).get('aff');
  if (given) writeText('aff', given);
  return given || readText('aff') || '';
};

const useRegistration = () => {
  const { email_verification: verifiesEmail = false } = useStatus();
  const [invite] = useState(takeInvite);
  const [values, setValues] = useState<RegisterValues>(emptyRegistration);
  const [problems, setProblems] = useState<Problems>({});
  const [refusal, setRefusal] = useState('');
  const [busy, setBusy] = useState(false);
  const human = useHuman();
  const send = async (): Promise<void> => {
    setBusy(true);
    setRefusal('');
    try {
      await call(register, { query: { turnstile: human.token }, body: { ...values, aff_code: invite } });
      removeText('aff');
      toastAfterLoad('success', m.register_success());
      location.assign('/login');
    } catch (error) {
      setRefusal(failureText(error));
      toastFailure(error);
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (busy) return;
    const found = findProblems(values, verifiesEmail);
    setProblems(found);
    if (Object.keys(found).length > 0) focusFirstInvalid();
    else if (human.isReady()) void send();
  };
  const checkEmail = (email: EmailProblem | undefined): void => {
    const { email: _email, ...others } = problems;
    setProblems(email ? { ...others, email } : others);
    if (email) focusFirstInvalid();
  };
  const change = (name: keyof RegisterValues, value: string): void => setValues({ ...values, [name]: value });
  return { invite, values, problems, refusal, busy, human, verifiesEmail, submit, change, checkEmail };
};
type Registration = ReturnType<typeof useRegistration>;

const problemTexts = {
  empty: m.login_field_empty,
  invalid: m.email_invalid,
  short: m.register_password_short,
  mismatch: m.register_password_mismatch,
} as const satisfies Record<Problem, unknown>;

const strengthTexts = { weak: m.strength_weak, fair: m.strength_fair, strong: m.strength_strong } as const;

const useTexts = ({ problems }: Registration) => {
  const t = useT();
  const errorOf = (name: keyof RegisterValues): string | undefined => {
    const problem = problems[name];
    return problem && t(problemTexts[problem]);
  };
  return { t, errorOf };
};

const PasswordFields = ({ form }: { readonly form: Registration }) => {
  const { t, errorOf } = useTexts(form);
  const { values, change } = form;
  const strength = passwordStrength(values.password);
  return (
    <>
      <Field
        label={t(m.login_password)}
        error={errorOf('password')}
        hint={strength ? `${t(m.strength_label)} ${t(strengthTexts[strength])}` : t(m.register_password_hint)}
      >
        {(control) => (
          <PasswordInput
            {...control}
            tall
            name="password"
            autoComplete="new-password"
            value={values.password}
            onChange={(event) => change('password', event.target.value)}
          />
        )}
      </Field>
      <Field label={t(m.register_confirm)} error={errorOf('password2')}>
        {(control) => (
          <PasswordInput
            {...control}
            tall
            name="password2"
            autoComplete="new-password"
            value={values.password2}
            onChange={(event) => change('password2', event.target.value)}
          />
        )}
      </Field>
    </>
  );
};

const EmailFields = ({ form }: { readonly form: Registration }) => {
  const { t, errorOf } = useTexts(form);
  const { values, change, human, checkEmail } = form;
  return (
    <>
      <Field label={t(m.register_email)} error={errorOf('email')}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              tall
              type="email"
              name="email"
              autoComplete="email"
              value={values.email}
              onChange={(event) => change('email', event.target.value)}
            />
            <SendCodeButton human={human} readEmail={() => values.email} onCheck={checkEmail} />
          </div>
        )}
      </Field>
      <Field label={t(m.register_code)} error={errorOf('verification_code')}>
        {(control) => (
          <Input
            {...control}
            tall
            name="verification_code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={values.verification_code}
            onChange={(event) => change('verification_code', event.target.value)}
          />
        )}
      </Field>
    </>
  );
};

const RegisterForm = () => {
  const form = useRegistration();
  const { t, errorOf } = useTexts(form);
  const counter = useId();
  const { invite, values, refusal, busy, human, verifiesEmail, submit, change } = form;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {refusal && (
        <Notice tone="bad" alert>
          {refusal}
        </Notice>
      )}
      {invite && <Notice tone="info">{t(m.register_invited, { code: invite })}</Notice>}
      <Field
        label={t(m.register_username)}
        error={errorOf('username')}
        hint={t(m.register_username_hint)}
        aside={
          <span id={counter} className="text-12 text-mute tabular-nums">
            {[...values.username].length}/{usernameMax}
          </span>
        }
      >
        {(control) => (
          <Input
            {...control}
            tall
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={usernameMax}
            ref={focusOnMount}
            value={values.username}
            onChange={(event) => change('username', event.target.value)}
          />
        )}
      </Field>
      <PasswordFields form={form} />
      {verifiesEmail && <EmailFields form={form} />}
      <HumanCheck human={human} />
      <SubmitButton busy={busy}>{t(m.register_submit)}</SubmitButton>
    </form>
  );
};

/** Replaces the form where this gateway accepts no registration, or none by password. */
const Closed = ({ openApp }: Pick<AuthScreenProps, 'openApp'>) => {
  const t = useT();
  const { register_enabled: open } = useStatus();
  if (open === false) return <Notice tone="info">{t(m.register_closed)}</Notice>;
  return (
    <>
      <Notice tone="info">{t(m.register_password_closed)}</Notice>
      <ExternalLogins openApp={openApp} alone />
    </>
  );
};

export const RegisterScreen = ({ openApp }: AuthScreenProps) => {
  const t = useT();
  const { register_enabled: open, password_register_enabled: byPassword } = useStatus();
  // The code of an invitation opens an account also where registration is closed.
  const [isInvited] = useState(() => takeInvite().length === invitationCodeLength);
  const isClosed = (open === false || byPassword === false) && !isInvited;
  return (
    <AuthCard
      title={t(m.register_title)}
      below={
        <a className="mt-4 rounded-control text-13 text-brand underline-offset-2 hover:underline" href="/login">
          {t(m.register_sign_in)}
        </a>
      }
    >
      {isClosed ? <Closed openApp={openApp} /> : <RegisterForm />}
    </AuthCard>
  );
};
