import { Combobox as Base } from '@base-ui/react/combobox';
import { useMemo, useState } from 'react';
import type { ClipboardEvent } from 'react';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import { optionClass, popupClass } from './combobox.tsx';
import type { ControlProps } from './field.tsx';
import { Icon } from './icon.tsx';
import { usePortalPlace } from './portal-place.ts';

interface MultiSelectProps extends ControlProps {
  readonly known: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
  readonly placeholder: string;
  /** Takes names that are not known, marked with this text; absent: only known ones. */
  readonly unknownNote?: string;
}

const shownMax = 200;

const namesIn = (text: string): string[] =>
  text
    .split(/[,，\r\n]+/)
    .map((name) => name.trim())
    .filter(Boolean);

/** Several names: picked from a list, typed, or pasted with commas or lines between them. */
export const MultiSelect = ({ known, chosen, onChange, placeholder, unknownNote, ...control }: MultiSelectProps) => {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const items = useMemo(
    () => (unknownNote !== undefined && name !== '' && !known.includes(name) ? [name, ...known] : known),
    [known, name, unknownNote],
  );
  const add = (names: readonly string[]): void => onChange([...new Set([...chosen, ...names])]);
  const paste = (event: ClipboardEvent): void => {
    const names = namesIn(event.clipboardData.getData('text'));
    if (names.length < 2 || unknownNote === undefined) return;
    event.preventDefault();
    add(names);
  };
  return (
    <Base.Root
      multiple
      items={items}
      limit={shownMax}
      value={[...chosen]}
      inputValue={typed}
      onInputValueChange={setTyped}
      onValueChange={(next: string[], { reason }) => {
        // Escape closes the list; a second one must not throw everything away.
        if (reason === 'escape-key') return;
        onChange(next);
        setTyped('');
      }}
      autoHighlight
    >
      <Base.InputGroup className="rounded-control border border-control bg-panel p-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-brand">
        <Base.Chips className="flex max-h-52 flex-wrap items-center gap-1 overflow-y-auto">
          {chosen.map((each) => (
            <Chip
              key={each}
              name={each}
              note={unknownNote !== undefined && !known.includes(each) ? unknownNote : undefined}
            />
          ))}
          <Base.Input
            {...control}
            placeholder={chosen.length > 0 ? '' : placeholder}
            onPaste={paste}
            className="h-6 min-w-24 flex-1 bg-transparent px-1.5 outline-none pointer-coarse:h-9 pointer-coarse:text-16"
          />
        </Base.Chips>
      </Base.InputGroup>
      <Options />
    </Base.Root>
  );
};

const Options = () => {
  const t = useT();
  const place = usePortalPlace();
  return (
    <Base.Portal container={place}>
      <Base.Positioner sideOffset={4} className="z-50 outline-none">
        <Base.Popup className={popupClass}>
          <Base.Empty className="px-2 py-1.5 text-mute empty:hidden">{t(m.nothing_found)}</Base.Empty>
          <Base.List>
            {(item: string) => (
              <Base.Item key={item} value={item} className={optionClass}>
                <span className="flex-1 wrap-anywhere">{item}</span>
                <Base.ItemIndicator className="text-brand">
                  <Icon name="check" />
                </Base.ItemIndicator>
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
};

const Chip = ({ name, note }: { readonly name: string; readonly note: string | undefined }) => {
  const t = useT();
  return (
    <Base.Chip
      aria-label={note ? `${name} (${note})` : name}
      data-tip={note}
      className={`flex h-6 max-w-full items-center rounded-[4px] pl-1.5 text-13 outline-none focus:bg-brand focus:text-on-brand pointer-coarse:h-9 ${note ? 'border border-dashed border-control' : 'bg-off-bg'}`}
    >
      <span className="truncate">{name}</span>
      <Base.ChipRemove
        aria-label={t(m.remove_named, { name })}
        className="inline-flex size-6 items-center justify-center rounded-[4px] opacity-70 hover:opacity-100"
      >
        <Icon name="close" className="size-3" />
      </Base.ChipRemove>
    </Base.Chip>
  );
};
