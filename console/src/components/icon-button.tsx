import type { ComponentProps } from 'react';
import { useRefusedButton } from '../lib/hooks/use-refusal.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly icon: IconName;
  /** The accessible name, shown as tooltip. */
  readonly label: string;
  /** Changes data on the server: disabled offline, with the reason as tooltip. */
  readonly sends?: boolean;
}

export const IconButton = ({ icon, label, sends = false, className = '', ...rest }: IconButtonProps) => {
  const refused = useRefusedButton(sends);
  return (
    <button
      type="button"
      aria-label={label}
      // A close button needs no tooltip, and dialogs open with the focus on it.
      data-tip={icon === 'close' ? undefined : label}
      {...rest}
      {...refused}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-control text-mute hover:bg-raised hover:text-ink aria-expanded:bg-raised aria-expanded:text-ink aria-disabled:opacity-55 disabled:opacity-55 pointer-coarse:size-11 ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
};
