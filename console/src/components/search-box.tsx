import { useEffect, useRef, useState } from 'react';
import { useLatest } from '../lib/use-latest.ts';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import { Icon } from './icon.tsx';
import { controlClass } from './input.tsx';

const restMs = 250;

interface SearchBoxProps {
  readonly label: string;
  /** The search on screen, from the address. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** A text put here without searching: a value the clipboard refused. */
  readonly offered?: string | undefined;
}

/** Searches 250 ms after the last key, or at once on Enter; `/` focuses it. */
export const SearchBox = ({ label, value, onSearch, offered }: SearchBoxProps) => {
  const t = useT();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = useLatest(onSearch);

  // The address changed under the box (back, clear filters): show what is searched.
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (text.trim() !== value) setText(value);
  }
  const [taken, setTaken] = useState(offered);
  if (taken !== offered) {
    setTaken(offered);
    if (offered !== undefined) setText(offered);
  }
  useEffect(() => {
    if (offered !== undefined) box.current?.select();
  }, [offered]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const type = (next: string): void => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search.current(next.trim()), restMs);
  };
  const searchNow = (next: string): void => {
    clearTimeout(timer.current);
    onSearch(next.trim());
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
        data-search
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return;
          setText('');
          searchNow('');
        }}
        className={`${controlClass} h-8 pr-2 pl-8 pointer-coarse:h-11 pointer-coarse:text-16 [&::-webkit-search-cancel-button]:hidden`}
        enterKeyHint="search"
        aria-keyshortcuts="/"
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={t(m.clear_search)}
          className="absolute top-1/2 right-1 inline-flex size-6 -translate-y-1/2 items-center justify-center rounded-control text-mute hover:bg-raised hover:text-ink"
          onClick={() => {
            setText('');
            searchNow('');
            box.current?.focus();
          }}
        >
          <Icon name="close" className="size-3.5" />
        </button>
      )}
    </form>
  );
};
