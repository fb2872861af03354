import { mailPauseSeconds, requestReset } from '@weir/contract/registration';
import { useState } from 'react';
import { CooldownButton } from '../../components/identity/cooldown-button.tsx';
import { Field } from '../../components/form/field.tsx';
import { HumanCheck } from '../../components/identity/human-check.tsx';
import { Input } from '../../components/form/input.tsx';
import { call } from '../../lib/api/call.ts';
import { emailProblem } from '../../lib/format/email-problem.ts';
import type { EmailProblem } from '../../lib/format/email-problem.ts';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { focusOnMount } from '../../lib/hooks/focus-on-mount.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { useHuman } from '../../lib/hooks/use-human.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AuthCard } from './auth-card.tsx';

const useReset = () => {
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<EmailProblem>();
  const [sentTo, setSentTo] = useState('');
  const human = useHuman();
  const send = async (address: string): Promise<void> => {
    try {
      await call(requestReset, { query: { email: address, turnstile: human.token } });
      toast('success', m.reset_sent());
      setSentTo(address);
    } catch (error) {
      toastFailure(error);
    }
  };
  const ask = (): boolean => {
    const address = email.trim();
    const found = emailProblem(address);
    setProblem(found);
    if (found !== undefined) {
      focusFirstInvalid();
      return false;
    }
    if (!human.isReady()) return false;
    void send(address);
    return true;
  };
  return { email, setEmail, problem, sentTo, human, ask };
};

const problemTexts = { empty: m.login_field_empty, invalid: m.email_invalid } as const;

/** Requests a mail with a reset link. The button has a cool-down after each request, in either state of the card. */
export const ResetScreen = () => {
  const t = useT();
  const { email, setEmail, problem, sentTo, human, ask } = useReset();
  return (
    <AuthCard
      title={t(sentTo ? m.reset_check_title : m.reset_title)}
      below={
        <a className="mt-4 rounded-control text-13 text-brand underline-offset-2 hover:underline" href="/login">
          {t(m.reset_back)}
        </a>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          event.currentTarget.querySelector<HTMLButtonElement>('button[data-ask]')?.click();
        }}
      >
        {sentTo ? (
          <p role="status" className="wrap-anywhere">
            {t(m.reset_check_text, { email: sentTo })}
          </p>
        ) : (
          <Field label={t(m.reset_email)} error={problem && t(problemTexts[problem])}>
            {(control) => (
              <Input
                {...control}
                tall
                type="email"
                name="email"
                autoComplete="email"
                ref={focusOnMount}
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
        )}
        <HumanCheck human={human} />
        <CooldownButton
          data-ask
          seconds={mailPauseSeconds}
          look={sentTo ? 'plain' : 'primary'}
          size="h-9 px-3 pointer-coarse:h-11"
          className="w-full"
          onAsk={ask}
        >
          {t(sentTo ? m.reset_again : m.reset_submit)}
        </CooldownButton>
      </form>
    </AuthCard>
  );
};
