import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly icon: IconName;
  /** The accessible name, shown as tooltip. */
  readonly label: string;
}

export const IconButton = ({ icon, label, className = '', ...rest }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    // A cross needs no words, and dialogs open with the focus on it.
    data-tip={icon === 'close' ? undefined : label}
    {...rest}
    className={`inline-flex size-8 shrink-0 items-center justify-center rounded-control text-mute hover:bg-raised hover:text-ink aria-expanded:bg-raised aria-expanded:text-ink disabled:opacity-55 pointer-coarse:size-11 ${className}`}
  >
    <Icon name={icon} />
  </button>
);
