import type { ReactNode } from 'react';
import { useRefusal } from '../../lib/hooks/use-refusal.ts';

interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly onFlip: (on: boolean) => void;
  readonly disabled?: boolean;
  /** Saves to the server immediately: disabled offline, with the reason as tooltip. */
  readonly sends?: boolean;
  readonly hint?: ReactNode;
}

export const Switch = ({ label, on, onFlip, disabled = false, sends = false, hint }: SwitchProps) => {
  const refusal = useRefusal(sends);
  return (
    <label title={refusal} className="flex min-h-8 items-center gap-2.5 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        disabled={disabled || refusal !== undefined}
        onChange={({ target }) => onFlip(target.checked)}
        className="peer sr-only"
      />
      <span className="relative h-5 w-9 shrink-0 rounded-full border border-control bg-panel transition-colors peer-checked:border-brand peer-checked:bg-brand peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand peer-disabled:opacity-55 after:absolute after:top-0.75 after:left-0.75 after:size-3 after:rounded-full after:bg-control after:transition-transform peer-checked:after:translate-x-4 peer-checked:after:bg-on-brand" />
      <span>
        {label}
        {hint && <span className="block text-12 text-mute">{hint}</span>}
      </span>
    </label>
  );
};
