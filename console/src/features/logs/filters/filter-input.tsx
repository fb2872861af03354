import { useId, useState } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { Input } from '../../../components/form/input.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

interface FilterInputProps {
  readonly label: string;
  /** The current filter, from the address; empty: none. */
  readonly value: string;
  readonly suggestions: readonly string[];
  readonly onApply: (value: string) => void;
  /** Validates the text of this filter. */
  readonly fits?: (text: string) => boolean;
  readonly error?: string;
  /** The shortcut key that focuses this field. */
  readonly shortcut?: string | undefined;
}

const always = (): boolean => true;

/** A chosen suggestion replaces the whole text at once; keys, paste and deletion do not. */
const isChosen = (event: Event): boolean =>
  !(event instanceof InputEvent) || event.inputType === '' || event.inputType === 'insertReplacementText';

/** The text in the field, and when it is applied. */
const useFilterText = ({ value, suggestions, onApply, fits = always }: FilterInputProps) => {
  const [text, setText] = useState(value);
  const [refused, setRefused] = useState(false);
  // The address changed under the field (back, clear filters): show the current filter.
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setText(value);
    setRefused(false);
  }
  const apply = (next: string): void => {
    const trimmed = next.trim();
    const good = trimmed === '' || fits(trimmed);
    setRefused(!good);
    if (good && trimmed !== value) onApply(trimmed);
  };
  const type = (next: string, event: Event): void => {
    setText(next);
    if (isChosen(event) && suggestions.includes(next)) apply(next);
  };
  return { text, refused, apply, type };
};

/** One exact filter: applied on Enter, on blur, and when a suggestion is chosen. */
export const FilterInput = (props: FilterInputProps) => {
  const { label, value, suggestions, error, shortcut } = props;
  const t = useT();
  const id = useId();
  const { text, refused, apply, type } = useFilterText(props);
  return (
    <form
      className="relative w-27"
      onSubmit={(event) => {
        event.preventDefault();
        apply(text);
      }}
    >
      <Input
        aria-label={label}
        aria-invalid={refused || undefined}
        aria-keyshortcuts={shortcut}
        aria-describedby={refused ? `${id}e` : undefined}
        placeholder={label}
        value={text}
        list={id}
        autoComplete="off"
        enterKeyHint="search"
        className={`${text === '' ? '' : 'pr-8'} [&::-webkit-calendar-picker-indicator]:hidden! ${value ? 'border-brand!' : ''}`}
        onChange={(event) => type(event.target.value, event.nativeEvent)}
        onBlur={() => apply(text)}
      />
      {text !== '' && (
        <IconButton
          icon="close"
          label={t(m.log_clear_one, { name: label })}
          className="absolute top-1/2 right-0.5 size-7 -translate-y-1/2"
          onClick={(event) => {
            type('', event.nativeEvent);
            apply('');
          }}
        />
      )}
      <datalist id={id}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
      {refused && (
        <p
          id={`${id}e`}
          role="alert"
          className="absolute top-full z-20 mt-1 rounded-control bg-bad-bg px-2 py-1 text-12 text-bad"
        >
          {error}
        </p>
      )}
    </form>
  );
};
