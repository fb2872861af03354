import { Button } from '../../../components/button.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { LiveState } from './use-live-switch.ts';

interface LiveButtonProps {
  readonly state: LiveState;
  readonly onFlip: () => void;
}

/** Turns the live view on and off. */
export const LiveButton = ({ state, onFlip }: LiveButtonProps) => {
  const t = useT();
  const on = state === 'on';
  return (
    <Button
      aria-pressed={on}
      aria-keyshortcuts="l"
      data-tip={t(m.log_live_tip)}
      className="aria-pressed:border-ok aria-pressed:text-ok"
      onClick={onFlip}
    >
      <span aria-hidden="true" className={`size-2 rounded-full ${on ? 'animate-pulse bg-ok' : 'bg-control'}`} />
      {t(m.log_live)}
    </Button>
  );
};

interface LiveBarProps {
  readonly state: LiveState;
  readonly onResume: () => void;
  /** Number of new records that are held back above the rows on screen. */
  readonly held: number;
  readonly onShowHeld: () => void;
  readonly faltering: boolean;
}

/** Messages of the live view; usually empty. */
export const LiveBar = ({ state, onResume, held, onShowHeld, faltering }: LiveBarProps) => {
  const t = useT();
  return (
    <>
      {state === 'stopped' && (
        <p role="status" className="flex flex-wrap items-center gap-2 pb-2 text-13 text-mute">
          {t(m.log_live_stopped)}
          <Button icon="play" size="h-7 px-2 pointer-coarse:h-11" onClick={onResume}>
            {t(m.log_live_resume)}
          </Button>
        </p>
      )}
      {faltering && (
        <p role="status" className="pb-2 text-13 text-warn">
          {t(m.log_live_faltering)}
        </p>
      )}
      {held > 0 && (
        <div className="pointer-events-none fixed inset-x-0 top-16 z-20 flex justify-center">
          <Button look="primary" icon="arrow-up" className="pointer-events-auto shadow-float" onClick={onShowHeld}>
            {t(m.log_held, { count: held })}
          </Button>
        </div>
      )}
    </>
  );
};
