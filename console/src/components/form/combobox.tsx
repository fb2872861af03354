import { useState } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { ControlProps } from './field.tsx';
import { Icon } from '../icon.tsx';
import { controlClass } from './input.tsx';
import { SuggestionList } from './suggestion-list.tsx';
import type { Choice, ChoiceGroup } from './suggestion-list.tsx';
import { useSuggestions } from './use-suggestions.ts';

interface ComboboxProps extends ControlProps {
  readonly groups: readonly ChoiceGroup[];
  readonly value: Choice;
  readonly onPick: (choice: Choice) => void;
}

const matching = (groups: readonly ChoiceGroup[], typed: string): ChoiceGroup[] => {
  const query = typed.trim().toLowerCase();
  return groups
    .map(({ value, items }) => ({
      value,
      items: items.filter(({ label, also = '' }) => `${label}\n${also}`.toLowerCase().includes(query)),
    }))
    .filter(({ items }) => items.length > 0);
};

/** One choice of many, filtered by typing. The typed text stays until a choice is made or the field loses focus. */
export const Combobox = ({ groups, value, onPick, ...control }: ComboboxProps) => {
  const t = useT();
  const [typed, setTyped] = useState<string>();
  const shown = matching(groups, typed ?? '');
  const choices = shown.flatMap(({ items }) => items);
  const pick = (picked: string): void => {
    const choice = choices.find((each) => each.value === picked);
    suggestions.close();
    if (choice) onPick(choice);
  };
  const suggestions = useSuggestions({
    values: choices.map((choice) => choice.value),
    onPick: pick,
    onClose: () => setTyped(undefined),
  });
  const { input, isOpen, open, close } = suggestions;
  const type = (text: string): void => {
    setTyped(text);
    open(matching(groups, text)[0]?.items[0]?.value);
  };
  return (
    <div className="relative" {...suggestions.around}>
      <input
        {...control}
        {...suggestions.field}
        value={typed ?? value.label}
        onFocus={(event) => event.target.select()}
        onChange={(event) => type(event.target.value)}
        className={`${controlClass} h-8 pr-9 pointer-coarse:h-11 pointer-coarse:text-16`}
      />
      <button
        type="button"
        tabIndex={-1}
        aria-label={t(m.open_list)}
        className="absolute inset-y-0 right-0 inline-flex w-8 items-center justify-center rounded-control text-mute"
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          input.current?.focus();
          if (isOpen) close();
          else open();
        }}
      >
        <Icon name="down" />
      </button>
      {isOpen && (
        <SuggestionList
          label={t(m.suggestions)}
          suggestions={suggestions}
          groups={shown}
          isChosen={(each) => each === value.value}
          onPick={pick}
        />
      )}
    </div>
  );
};
