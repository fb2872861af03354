import { useEffect, useRef, useState } from 'react';
import { useLatest } from '../../lib/hooks/use-latest.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../icon.tsx';
import { controlClass } from '../form/input.tsx';

const restMs = 250;

interface SearchBoxProps {
  readonly label: string;
  /** The current search, from the address. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** A text inserted without searching: a value that could not be copied. */
  readonly offered?: string | undefined;
}

/** The text in the box: the typed text, until the address or an offered value changes. */
const useBoxText = ({ value, onSearch, offered }: SearchBoxProps) => {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState({ value, offered });
  if (seen.value !== value || seen.offered !== offered) {
    setSeen({ value, offered });
    if (seen.offered !== offered && offered !== undefined) setText(offered);
    else if (text.trim() !== value) setText(value);
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = useLatest(onSearch);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (next: string): void => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search.current(next.trim()), restMs);
  };
  const searchNow = (next: string): void => {
    setText(next);
    clearTimeout(timer.current);
    onSearch(next.trim());
  };
  return { text, type, searchNow };
};

/** Searches 250 ms after the last key, or immediately on Enter; `/` focuses it. */
export const SearchBox = (props: SearchBoxProps) => {
  const { label, offered } = props;
  const box = useRef<HTMLInputElement>(null);
  const { text, type, searchNow } = useBoxText(props);
  useEffect(() => {
    if (offered !== undefined) box.current?.select();
  }, [offered]);
  const clear = (): void => {
    searchNow('');
    box.current?.focus();
  };
  return (
    <form
      role="search"
      className="relative w-72 max-w-full max-md:w-full"
      onSubmit={(event) => {
        event.preventDefault();
        searchNow(text);
      }}
    >
      <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-mute" />
      <input
        ref={box}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={text}
        enterKeyHint="search"
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && text !== '' && searchNow('')}
        className={`${controlClass} h-8 pr-8 pl-8 pointer-coarse:h-11 pointer-coarse:text-16 [&::-webkit-search-cancel-button]:hidden`}
      />
      {text !== '' && <ClearButton onClear={clear} />}
    </form>
  );
};

const ClearButton = ({ onClear }: { readonly onClear: () => void }) => {
  const t = useT();
  return (
    <button
      type="button"
      aria-label={t(m.clear_search)}
      className="absolute top-1/2 right-1 inline-flex size-6 -translate-y-1/2 items-center justify-center rounded-control text-mute hover:bg-raised hover:text-ink"
      onClick={onClear}
    >
      <Icon name="close" className="size-3.5" />
    </button>
  );
};
