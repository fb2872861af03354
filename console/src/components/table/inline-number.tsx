import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useRefusal } from '../../lib/hooks/use-refusal.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { Undo } from '../overlay/undo.tsx';

interface InlineNumberProps {
  readonly label: string;
  readonly value: number;
  /** Minimum; lower values are raised to it. */
  readonly min?: number;
  readonly onSave: (value: number) => void;
  /** Key of the offer to undo the last change. */
  readonly undoKey: string;
}

/** A whole number that is edited inline: Enter or blur saves, Escape reverts, empty changes nothing, ↑ ↓ step. */
export const InlineNumber = ({ label, value, min, onSave, undoKey }: InlineNumberProps) => {
  const refusal = useRefusal();
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState(false);
  const type = (text: string | undefined): void => {
    setTyped(text);
    setWrong(false);
  };
  const save = (): void => {
    if (typed === undefined || wrong) return;
    const entered = Number(typed);
    if (!Number.isSafeInteger(entered)) {
      // The text stays, so that it can be corrected.
      setWrong(true);
      toast('error', m.number_not_whole());
      return;
    }
    setTyped(undefined);
    if (typed.trim() === '') return;
    const next = min === undefined ? entered : Math.max(min, entered);
    if (next !== value) onSave(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') event.currentTarget.blur();
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    type(undefined);
  };
  return (
    <span className="inline-flex items-center">
      <input
        type="number"
        aria-label={label}
        value={typed ?? value}
        min={min}
        step="1"
        aria-invalid={wrong || undefined}
        onChange={(event) => type(event.target.value)}
        readOnly={refusal !== undefined}
        title={refusal}
        onBlur={save}
        onKeyDown={onKeyDown}
        className="h-7 w-14 rounded-control border border-line bg-panel px-2 text-right tabular-nums read-only:opacity-55 hover:border-control focus:border-control aria-invalid:border-bad pointer-coarse:h-10 pointer-coarse:text-16"
      />
      <Undo of={undoKey} />
    </span>
  );
};
