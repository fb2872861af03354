import type { ComponentProps } from 'react';
import { Icon } from '../icon.tsx';

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, text: string])[];
  readonly onPick: (value: Value) => void;
}

/** The browser's native select: complete for keyboards, screen readers and phones, at no bundle size. */
export const Select = <Value extends string>({
  value,
  choices,
  onPick,
  className = '',
  ...rest
}: SelectProps<Value>) => (
  <span className={`relative inline-flex ${className}`}>
    <select
      {...rest}
      value={value}
      onChange={({ target }) => {
        const picked = choices.find(([choice]) => choice === target.value);
        if (picked) onPick(picked[0]);
      }}
      className="h-8 w-full appearance-none rounded-control border border-control bg-panel pr-8 pl-2.5 text-ink disabled:bg-raised disabled:text-mute pointer-coarse:h-11 pointer-coarse:text-16"
    >
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
    <Icon name="down" className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-mute" />
  </span>
);
