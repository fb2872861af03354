import { Button } from '../../../components/button.tsx';
import { ask, warmOverlays } from '../../../components/overlay/overlays.ts';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
import { parseTime } from '../../../lib/format/parse-time.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

interface JumpButtonProps {
  /** Index of the newest record that is not after a time. */
  readonly rowAtTime: (unixSeconds: number) => Promise<number>;
  readonly onRow: (row: number) => void;
}

/** Scrolls to the records of a time, however far down they are. */
export const JumpButton = ({ rowAtTime, onRow }: JumpButtonProps) => {
  const t = useT();
  const capabilities = useCapabilities();
  const jump = async (): Promise<void> => {
    const typed = await ask({ title: m.log_jump(), label: m.log_jump_label(), verb: m.log_jump_verb() });
    if (typed === undefined) return;
    const at = parseTime(typed, Date.now());
    if (at === undefined) toast('error', m.log_time_error());
    else onRow(await rowAtTime(at));
  };
  if (!capabilities) return null;
  return (
    <Button
      icon="calendar"
      onPointerEnter={warmOverlays}
      onFocus={warmOverlays}
      onClick={() => void jump().catch(toastFailure)}
    >
      {t(m.log_jump)}
    </Button>
  );
};
