import { bindEmail } from '@weir/contract/identities';
import { useState } from 'react';
import { Field } from '../../components/form/field.tsx';
import { FormDialog } from '../../components/overlay/form-dialog.tsx';
import { HumanCheck } from '../../components/identity/human-check.tsx';
import { Input } from '../../components/form/input.tsx';
import { SendCodeButton } from '../../components/identity/send-code-button.tsx';
import { call } from '../../lib/api/call.ts';
import { emailProblem } from '../../lib/format/email-problem.ts';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { focusOnMount } from '../../lib/hooks/focus-on-mount.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { useHuman } from '../../lib/hooks/use-human.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

interface EmailDialogProps {
  readonly onBound: () => void;
  readonly onClose: () => void;
}

type Name = 'email' | 'code';
type Problem = Name | 'invalid';

const problemOf = (values: Readonly<Record<Name, string>>): Problem | undefined => {
  const email = emailProblem(values.email);
  if (email !== undefined) return email === 'empty' ? 'email' : 'invalid';
  return values.code.trim() === '' ? 'code' : undefined;
};

const useEmailBinding = ({ onBound }: EmailDialogProps) => {
  const [values, setValues] = useState({ email: '', code: '' });
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const mark = (found: Problem | undefined): void => {
    setProblem(found);
    if (found !== undefined) focusFirstInvalid();
  };
  const bind = async (): Promise<void> => {
    const found = problemOf(values);
    mark(found);
    if (found !== undefined) return;
    setBusy(true);
    try {
      await call(bindEmail, { query: { email: values.email.trim(), code: values.code.trim() } });
      toast('success', m.personal_email_bound());
      onBound();
    } catch (error) {
      toastFailure(error);
      setBusy(false);
    }
  };
  const change = (name: Name, value: string): void => setValues({ ...values, [name]: value });
  return { values, problem, busy, bind, change, mark };
};

/** Binds an e-mail address with the code that was mailed to it. */
export const EmailDialog = (props: EmailDialogProps) => {
  const t = useT();
  const human = useHuman();
  const { values, problem, busy, bind, change, mark } = useEmailBinding(props);
  const emailError =
    problem === 'email' ? t(m.personal_email_empty) : problem === 'invalid' ? t(m.email_invalid) : undefined;
  return (
    <FormDialog
      title={t(m.personal_email_title)}
      verb={t(m.personal_bind)}
      busy={busy}
      onSubmit={() => void bind()}
      onClose={props.onClose}
    >
      <Field label={t(m.personal_email_address)} error={emailError}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              tall
              ref={focusOnMount}
              type="email"
              autoComplete="email"
              value={values.email}
              onChange={(event) => change('email', event.target.value)}
            />
            <SendCodeButton
              human={human}
              readEmail={() => values.email}
              onCheck={(found) => mark(found === 'empty' ? 'email' : found)}
            />
          </div>
        )}
      </Field>
      <HumanCheck human={human} />
      <Field label={t(m.code_label)} error={problem === 'code' ? t(m.code_empty) : undefined}>
        {(control) => (
          <Input
            {...control}
            tall
            inputMode="numeric"
            autoComplete="one-time-code"
            value={values.code}
            onChange={(event) => change('code', event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
};
