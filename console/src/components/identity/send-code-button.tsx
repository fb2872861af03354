import { mailPauseSeconds, sendEmailCode } from '@weir/contract/registration';
import { call } from '../../lib/api/call.ts';
import { emailProblem } from '../../lib/format/email-problem.ts';
import type { EmailProblem } from '../../lib/format/email-problem.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import type { Human } from '../../lib/hooks/use-human.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { CooldownButton } from './cooldown-button.tsx';

interface SendCodeButtonProps {
  /** The current text of the address field. */
  readonly readEmail: () => string;
  /** Called at each press with what is wrong with the address. */
  readonly onCheck: (problem: EmailProblem | undefined) => void;
  readonly human: Human;
}

/** Requests the code that verifies an e-mail address. */
export const SendCodeButton = ({ readEmail, onCheck, human }: SendCodeButtonProps) => {
  const t = useT();
  const send = async (email: string): Promise<void> => {
    try {
      await call(sendEmailCode, { query: { email, turnstile: human.token } });
      toast('success', m.register_code_sent());
    } catch (error) {
      toastFailure(error);
    }
  };
  const ask = (): boolean => {
    const email = readEmail().trim();
    const problem = emailProblem(email);
    onCheck(problem);
    if (problem !== undefined || !human.isReady()) return false;
    void send(email);
    return true;
  };
  return (
    <CooldownButton seconds={mailPauseSeconds} size="h-9 px-3 pointer-coarse:h-11" className="shrink-0" onAsk={ask}>
      {t(m.register_send_code)}
    </CooldownButton>
  );
};
