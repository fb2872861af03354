import { resetPassword } from '@weir/contract/registration';
import { useState } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { CopyField } from '../../components/text/copy-field.tsx';
import { Field } from '../../components/form/field.tsx';
import { Input } from '../../components/form/input.tsx';
import { Notice } from '../../components/notice.tsx';
import { call } from '../../lib/api/call.ts';
import { copyText } from '../../lib/browser/clipboard.ts';
import { failureText } from '../../lib/api/failure-text.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AuthCard } from './auth-card.tsx';
import { SubmitButton } from './submit-button.tsx';

const readLink = () => {
  const query = new URLSearchParams(location.search);
  return { email: query.get('email') ?? '', token: query.get('token') ?? '' };
};

const useConfirmation = () => {
  const [link] = useState(readLink);
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState('');
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setRefusal('');
    try {
      const made = await call(resetPassword, { body: link });
      // The link is used: remove its code from the address and the history.
      history.replaceState(null, '', location.pathname);
      setPassword(made);
      if (await copyText(made)) toast('success', m.reset_done());
      else toast('warning', m.reset_done_by_hand());
    } catch (error) {
      setRefusal(failureText(error));
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return { link, password, refusal, busy, confirm };
};
type Confirmation = ReturnType<typeof useConfirmation>;

const NewPassword = ({ password }: { readonly password: string }) => {
  const t = useT();
  return (
    <div className="flex flex-col gap-4">
      <p role="status">
        {t(m.reset_done_text)} <span className="sr-only">{password}</span>
      </p>
      <CopyField text={password} label={t(m.reset_new_password)} copyLabel={t(m.reset_copy)} />
      <a href="/login" className={buttonClass('primary', 'h-9 px-3 pointer-coarse:h-11')}>
        {t(m.sign_in)}
      </a>
    </div>
  );
};

const ConfirmForm = ({ link, refusal, busy, confirm }: Confirmation) => {
  const t = useT();
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void confirm();
      }}
    >
      {refusal && (
        <Notice tone="bad" alert>
          {refusal}
        </Notice>
      )}
      <p className="text-13 text-mute">{t(m.reset_confirm_text)}</p>
      <Field label={t(m.reset_email)}>
        {(control) => <Input {...control} tall readOnly type="email" value={link.email} />}
      </Field>
      <SubmitButton busy={busy}>{t(m.reset_confirm_submit)}</SubmitButton>
    </form>
  );
};

/** Landing page of a mailed link: exchanges it for a new password. */
export const ResetConfirmScreen = () => {
  const t = useT();
  const confirmation = useConfirmation();
  const { link, password } = confirmation;
  const isWhole = link.email !== '' && link.token !== '';
  return (
    <AuthCard
      title={t(m.reset_confirm_title)}
      below={
        !password && (
          <a className="mt-4 rounded-control text-13 text-brand underline-offset-2 hover:underline" href="/reset">
            {t(m.reset_new_link)}
          </a>
        )
      }
    >
      {password ? (
        <NewPassword password={password} />
      ) : isWhole ? (
        <ConfirmForm {...confirmation} />
      ) : (
        <Notice tone="warn">{t(m.reset_incomplete)}</Notice>
      )}
    </AuthCard>
  );
};
