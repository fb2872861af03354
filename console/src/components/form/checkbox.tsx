import type { ComponentProps } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  readonly label: string;
  /** Some but not all of a group. */
  readonly mixed?: boolean;
  readonly hideLabel?: boolean;
}

export const Checkbox = ({ label, mixed = false, hideLabel = false, className = '', ...rest }: CheckboxProps) => (
  <label className={`inline-flex min-h-6 items-center gap-2 ${className}`}>
    <input
      {...rest}
      type="checkbox"
      ref={(element) => {
        if (element) element.indeterminate = mixed;
      }}
      className="size-4 accent-brand"
    />
    <span className={hideLabel ? 'sr-only' : ''}>{label}</span>
  </label>
);
