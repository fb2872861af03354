import type { ComponentProps } from 'react';
import { useCooldown } from '../../lib/hooks/use-cooldown.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../button.tsx';

interface CooldownButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  readonly seconds: number;
  /** Sends the request; false: nothing was sent, and no cool-down starts. */
  readonly onAsk: () => boolean;
}

/** A button with a countdown in its label after a press. Screen readers announce start and end, not each second. */
export const CooldownButton = ({ seconds, onAsk, children, ...rest }: CooldownButtonProps) => {
  const t = useT();
  const { left, start } = useCooldown(seconds);
  const ask = (): void => {
    if (left === 0 && onAsk()) start();
  };
  return (
    <>
      <Button sends {...rest} aria-disabled={left > 0} onClick={ask}>
        <span className="tabular-nums">{left > 0 ? t(m.cooldown_left, { seconds: String(left) }) : children}</span>
      </Button>
      <span role="status" className="sr-only">
        {left > 0 ? t(m.cooldown_began, { seconds: String(seconds) }) : ''}
      </span>
    </>
  );
};
