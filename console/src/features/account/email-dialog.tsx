import { bindEmail } from '@weir/contract/identities';
import { useState } from 'react';
import { Field } from '../../components/form/field.tsx';
import { FormDialog } from '../../components/overlay/form-dialog.tsx';
import { HumanCheck } from '../../components/identity/human-check.tsx';
import { Input } from '../../components/form/input.tsx';
import { SendCodeButton } from '../../components/identity/send-code-button.tsx';
import { call } from '../../lib/api/call.ts';
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

const useEmailBinding = ({ onBound }: EmailDialogProps) => {
  const [values, setValues] = useState({ email: '', code: '' });
  const [empty, setEmpty] = useState<Name>();
  const [busy, setBusy] = useState(false);
  const markEmpty = (name: Name | undefined): void => {
    setEmpty(name);
    if (name !== undefined) focusFirstInvalid();
  };
  const bind = async (): Promise<void> => {
    const missing = (['email', 'code'] as const).find((name) => values[name].trim() === '');
    markEmpty(missing);
    if (missing !== undefined) return;
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
  return { values, empty, busy, bind, change, markEmpty };
};

/** Binds an e-mail address with the code that was mailed to it. */
export const EmailDialog = (props: EmailDialogProps) => {
  const t = useT();
  const human = useHuman();
  const { values, empty, busy, bind, change, markEmpty } = useEmailBinding(props);
  return (
    <FormDialog
      title={t(m.personal_email_title)}
      verb={t(m.personal_bind)}
      busy={busy}
      onSubmit={() => void bind()}
      onClose={props.onClose}
    >
      <Field label={t(m.personal_email_address)} error={empty === 'email' ? t(m.personal_email_empty) : undefined}>
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
              onCheck={(missing) => markEmpty(missing ? 'email' : undefined)}
            />
          </div>
        )}
      </Field>
      <HumanCheck human={human} />
      <Field label={t(m.code_label)} error={empty === 'code' ? t(m.code_empty) : undefined}>
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
