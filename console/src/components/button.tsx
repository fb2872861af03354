import type { ComponentProps, ReactNode } from 'react';
import { useRefusedButton } from '../lib/hooks/use-refusal.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import { Spinner } from './spinner.tsx';

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger' | 'quiet-danger';

const looks: Record<ButtonLook, string> = {
  primary: 'bg-brand text-on-brand hover:bg-brand-hover',
  plain: 'border border-control/60 bg-panel text-ink hover:bg-raised',
  quiet: 'text-ink hover:bg-raised',
  'quiet-danger': 'text-bad hover:bg-bad-bg',
  danger: 'bg-bad text-bg hover:bg-bad-hover',
};

export const buttonClass = (look: ButtonLook, size = 'h-8 px-3 pointer-coarse:h-11'): string =>
  `inline-flex items-center justify-center gap-1.5 rounded-control font-medium whitespace-nowrap select-none ` +
  `aria-disabled:opacity-55 disabled:opacity-55 ${size} ${looks[look]}`;

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly look?: ButtonLook;
  readonly icon?: IconName;
  readonly busy?: boolean;
  /** Changes data on the server: disabled offline, with the reason as tooltip. */
  readonly sends?: boolean;
  readonly size?: string;
  readonly children: ReactNode;
}

/** Keeps its width and its name while busy, and ignores a second press. */
export const Button = ({
  look = 'plain',
  icon,
  busy = false,
  sends = false,
  size,
  children,
  className = '',
  onClick,
  ...rest
}: ButtonProps) => {
  const refused = useRefusedButton(sends);
  return (
    <button
      type="button"
      {...rest}
      {...(busy ? { 'aria-busy': true, 'aria-disabled': true } : { onClick })}
      {...refused}
      className={`${buttonClass(look, size)} relative ${className}`}
    >
      <span className={`inline-flex items-center gap-1.5 ${busy ? 'opacity-0' : ''}`}>
        {icon && <Icon name={icon} />}
        {children}
      </span>
      {busy && (
        <span className="absolute inset-0 flex items-center justify-center">
          <Spinner />
        </span>
      )}
    </button>
  );
};
