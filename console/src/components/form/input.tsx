import type { ComponentProps } from 'react';

export const controlClass =
  'w-full rounded-control border border-control bg-panel px-2.5 text-ink aria-invalid:border-bad disabled:bg-raised disabled:text-mute read-only:bg-raised';

interface InputProps extends ComponentProps<'input'> {
  /** Height classes; 36 px in auth forms. */
  readonly tall?: boolean;
}

export const Input = ({ className = '', tall = false, ...rest }: InputProps) => (
  <input
    {...rest}
    className={`${controlClass} ${tall ? 'h-9' : 'h-8'} pointer-coarse:h-11 pointer-coarse:text-16 ${className}`}
  />
);
