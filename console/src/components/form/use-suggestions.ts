import { useId, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent } from 'react';

/** How far a key moves in the suggestions. */
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

interface SuggestionsOptions {
  /** The suggestions now, in order. */
  readonly values: readonly string[];
  readonly onPick: (value: string) => void;
  /** The list closed: by a choice, Escape, or loss of focus. */
  readonly onClose: () => void;
}

interface Answers {
  readonly move: (step: number) => void;
  /** Whether a suggestion was chosen. */
  readonly choose: () => boolean;
  /** Whether an open list was closed. */
  readonly leave: () => boolean;
}

const answerKey = (event: KeyboardEvent, { move, choose, leave }: Answers): void => {
  if (event.nativeEvent.isComposing) return;
  const step = steps[event.key];
  if (step !== undefined) {
    event.preventDefault();
    move(step);
  }
  if (event.key === 'Enter' && choose()) event.preventDefault();
  if (event.key === 'Escape' && leave()) {
    event.preventDefault();
    // The surrounding sheet stays open.
    event.stopPropagation();
  }
};

/**
 * Opening, moving and choosing in the list below a text field: the combobox pattern of the ARIA practices. Focus stays
 * in the field; nothing else on the page is hidden meanwhile.
 */
export const useSuggestions = ({ values, onPick, onClose }: SuggestionsOptions) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<string>();
  const activeIndex = active === undefined ? -1 : values.indexOf(active);
  const optionId = (index: number): string => `${id}o${index}`;

  const close = (): void => {
    if (!isOpen) return;
    setOpen(false);
    setActive(undefined);
    onClose();
  };
  const open = (first?: string): void => {
    setOpen(true);
    setActive(first);
  };
  const move = (step: number): void => {
    const { length } = values;
    if (!isOpen) open(values[0]);
    else if (length > 0)
      setActive(values[activeIndex < 0 && step < 0 ? length - 1 : (activeIndex + step + length) % length]);
  };
  const choose = (): boolean => {
    const chosen = values[activeIndex];
    if (isOpen && chosen !== undefined) onPick(chosen);
    return isOpen && chosen !== undefined;
  };
  const leave = (): boolean => {
    close();
    return isOpen;
  };
  const onKeyDown = (event: KeyboardEvent): void => answerKey(event, { move, choose, leave });
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) close();
  };
  return {
    id,
    input,
    isOpen,
    activeIndex: isOpen ? activeIndex : -1,
    optionId,
    open,
    close,
    /** For the element around field and list. */
    around: { onBlur },
    /** For the field. */
    field: {
      ref: input,
      role: 'combobox',
      autoComplete: 'off',
      autoCorrect: 'off',
      spellCheck: false,
      'aria-autocomplete': 'list',
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? `${id}l` : undefined,
      'aria-activedescendant': isOpen && activeIndex >= 0 ? optionId(activeIndex) : undefined,
      onKeyDown,
      onMouseDown: () => open(),
    },
  } as const;
};

export type Suggestions = ReturnType<typeof useSuggestions>;
