import type { KeyboardEvent } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../icon.tsx';

/** Moves the focus from a chip, or the field after the chips, to its neighbour. */
export const moveAmongChips = (from: HTMLElement, step: -1 | 1): void => {
  const stops = [...(from.closest('div')?.querySelectorAll<HTMLElement>('[data-chip] button, input') ?? [])];
  stops[stops.indexOf(from) + step]?.focus();
};

interface ChipProps {
  readonly name: string;
  /** Note on the chip. */
  readonly note: string | undefined;
  readonly onRemove: () => void;
}

/** A chosen name. Chips are not tab stops: the arrow keys reach them from the field. */
export const Chip = ({ name, note, onRemove }: ChipProps) => {
  const t = useT();
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    if (event.key === 'ArrowLeft') moveAmongChips(event.currentTarget, -1);
    if (event.key === 'ArrowRight') moveAmongChips(event.currentTarget, 1);
    if (event.key === 'Backspace' || event.key === 'Delete') onRemove();
  };
  return (
    <span
      data-chip
      data-tip={note}
      className={`flex h-6 max-w-full items-center rounded-[4px] pl-1.5 text-13 focus-within:bg-brand focus-within:text-on-brand pointer-coarse:h-9 ${note ? 'border border-dashed border-control' : 'bg-off-bg'}`}
    >
      <span className="truncate">{name}</span>
      {note && <span className="sr-only"> ({note})</span>}
      <button
        type="button"
        tabIndex={-1}
        aria-label={t(m.remove_named, { name })}
        className="inline-flex size-6 items-center justify-center rounded-[4px] opacity-70 hover:opacity-100"
        onKeyDown={onKeyDown}
        onClick={onRemove}
      >
        <Icon name="close" className="size-3" />
      </button>
    </span>
  );
};
