import { useMemo, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Chip, moveAmongChips } from './chip.tsx';
import type { ChoiceGroup } from './suggestion-list.tsx';
import type { ControlProps } from './field.tsx';
import { SuggestionList } from './suggestion-list.tsx';
import { useSuggestions } from './use-suggestions.ts';

interface MultiSelectProps extends ControlProps {
  readonly known: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
  readonly placeholder: string;
  /** Accepts unknown names, marked with this text; absent: only known ones. */
  readonly unknownNote?: string;
}

const shownMax = 200;

const namesIn = (text: string): string[] =>
  text
    .split(/[,，\r\n]+/)
    .map((name) => name.trim())
    .filter(Boolean);

/** The list's options for a text; the text itself is the first one if it is a name, or unknown names are accepted. */
const suggest = (known: readonly string[], typed: string, takesUnknown: boolean): string[] => {
  const name = typed.trim();
  const query = name.toLowerCase();
  const found = known.filter((each) => each !== name && each.toLowerCase().includes(query)).slice(0, shownMax);
  return known.includes(name) || (takesUnknown && name !== '') ? [name, ...found] : found;
};

/** Several pasted names become choices immediately; a single one is inserted as text. */
const takePasted = (event: ClipboardEvent, add: (names: readonly string[]) => void): void => {
  const names = namesIn(event.clipboardData.getData('text'));
  if (names.length < 2) return;
  event.preventDefault();
  add(names);
};

/** Options in one group without a heading. */
const asGroups = (names: readonly string[]): readonly ChoiceGroup[] =>
  names.length === 0 ? [] : [{ value: '', items: names.map((name) => ({ value: name, label: name })) }];

interface ChosenProps {
  readonly names: readonly string[];
  readonly noteOf: (name: string) => string | undefined;
  readonly onRemove: (name: string) => void;
}

const Chosen = ({ names, noteOf, onRemove }: ChosenProps) =>
  names.map((name) => <Chip key={name} name={name} note={noteOf(name)} onRemove={() => onRemove(name)} />);

/** What is typed in the field, the options it brings up, and what a choice does to the chosen names. */
const useTypedNames = ({
  known,
  chosen,
  onChange,
  unknownNote,
}: Pick<MultiSelectProps, 'known' | 'chosen' | 'onChange' | 'unknownNote'>) => {
  const [typed, setTyped] = useState('');
  /** A typed name that was chosen before. */
  const [repeated, setRepeated] = useState<string>();
  const takesUnknown = unknownNote !== undefined;
  const offered = useMemo(() => suggest(known, typed, takesUnknown), [known, typed, takesUnknown]);
  const remove = (name: string): void => onChange(chosen.filter((each) => each !== name));
  const pick = (name: string): void => {
    setTyped('');
    if (chosen.includes(name)) remove(name);
    else onChange([...chosen, name]);
  };
  // Who types a name wants it; a click or an arrow key reaches the mark of the option and switches it.
  const enter = (name: string): void => {
    const isRepeated = name === typed.trim() && chosen.includes(name);
    setRepeated(isRepeated ? name : undefined);
    if (isRepeated) setTyped('');
    else pick(name);
  };
  const close = (): void => {
    setTyped('');
    setRepeated(undefined);
  };
  const suggestions = useSuggestions({ values: offered, onPick: enter, onClose: close });
  const type = (text: string): void => {
    setTyped(text);
    setRepeated(undefined);
    suggestions.open(suggest(known, text, takesUnknown)[0]);
  };
  const paste = (event: ClipboardEvent): void => {
    if (takesUnknown) takePasted(event, (names) => onChange([...new Set([...chosen, ...names])]));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    suggestions.field.onKeyDown(event);
    if (event.currentTarget.selectionEnd !== 0) return;
    const last = chosen.at(-1);
    if (event.key === 'Backspace' && last !== undefined) remove(last);
    if (event.key === 'ArrowLeft') moveAmongChips(event.currentTarget, -1);
  };
  return { typed, repeated, offered, suggestions, remove, pick, type, paste, onKeyDown };
};

/** Several names: picked from a list, typed, or pasted with commas or line breaks between them. */
export const MultiSelect = ({ known, chosen, onChange, placeholder, unknownNote, ...control }: MultiSelectProps) => {
  const t = useT();
  const names = useTypedNames({ known, chosen, onChange, ...(unknownNote !== undefined && { unknownNote }) });
  const { suggestions } = names;
  return (
    <div className="relative" {...suggestions.around}>
      <div className="flex max-h-52 flex-wrap items-center gap-1 overflow-y-auto rounded-control border border-control bg-panel p-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand">
        <Chosen
          names={chosen}
          noteOf={(name) => (known.includes(name) ? undefined : unknownNote)}
          onRemove={(name) => {
            names.remove(name);
            suggestions.input.current?.focus();
          }}
        />
        <input
          {...control}
          {...suggestions.field}
          value={names.typed}
          placeholder={chosen.length > 0 ? '' : placeholder}
          onPaste={names.paste}
          onKeyDown={names.onKeyDown}
          onChange={(event) => names.type(event.target.value)}
          className="h-6 min-w-24 flex-1 bg-transparent px-1.5 outline-none pointer-coarse:h-9 pointer-coarse:text-16"
        />
      </div>
      <p role="status" className="text-12 text-mute not-empty:pt-1.5">
        {names.repeated !== undefined && t(m.already_chosen, { name: names.repeated })}
      </p>
      {suggestions.isOpen && (
        <SuggestionList
          label={t(m.suggestions)}
          suggestions={suggestions}
          groups={asGroups(names.offered)}
          isChosen={(name) => chosen.includes(name)}
          multiple
          onPick={names.pick}
        />
      )}
    </div>
  );
};
