import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { IconButton } from '../icon-button.tsx';
import { menuTrigger } from '../overlay/overlays.ts';
import type { MenuOffer } from '../overlay/overlays.ts';

interface RowMenuButtonProps {
  /** The row's name: each button of a list needs a unique label. */
  readonly name: string;
  readonly entries: () => MenuOffer['entries'];
  /** False: not a tab stop, because the row is not the active one of its list. */
  readonly stop?: boolean;
}

export const RowMenuButton = ({ name, entries, stop = true }: RowMenuButtonProps) => {
  const t = useT();
  const label = t(m.actions_of, { name });
  return (
    <IconButton
      icon="more"
      label={label}
      data-tip={undefined}
      tabIndex={stop ? undefined : -1}
      {...menuTrigger(() => ({ label, entries: entries() }))}
    />
  );
};
