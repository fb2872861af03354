import { Dialog } from '@base-ui/react/dialog';
import { QueryClientProvider } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { createRoot } from 'react-dom/client';
import { Icon } from '../../components/icon.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { NavEntry } from '../layout/navigation.ts';
import { usePaletteItems } from './palette-items.ts';
import type { PaletteItem } from './palette-found.ts';

interface PaletteProps {
  readonly entries: readonly NavEntry[];
  readonly go: (path: string) => void;
  readonly onClosed: () => void;
}

const restMs = 250;

/** A text that is debounced by 250 ms. */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setSettled, restMs, text.trim());
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

const Palette = ({ entries, go, onClosed }: PaletteProps) => {
  const t = useT();
  const [open, setOpen] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const items = usePaletteItems(typed, useSettled(typed), { entries, go });
  const current = Math.min(at, items.length - 1);
  const choose = (item: PaletteItem | undefined): void => {
    if (item === undefined) return;
    setOpen(false);
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') choose(items[current]);
    else if (step !== undefined && items.length > 0) setAt((current + step + items.length) % items.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(shown) => !shown && onClosed()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup
          initialFocus={field}
          aria-label={t(m.palette)}
          className="fixed top-[max(16px,12dvh)] left-1/2 z-50 flex max-h-[70dvh] w-[min(560px,calc(100vw-32px))] -translate-x-1/2 flex-col rounded-dialog bg-panel shadow-float outline-none"
        >
          <input
            ref={field}
            role="combobox"
            aria-label={t(m.palette)}
            aria-expanded="true"
            aria-controls={list}
            aria-activedescendant={items[current] && `${list}-${current}`}
            placeholder={t(m.palette_hint)}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setTyped(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
            className="h-12 shrink-0 border-b border-line bg-transparent px-4 text-16 outline-none"
          />
          <Options id={list} items={items} current={current} onPoint={setAt} onChoose={choose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

interface OptionsProps {
  readonly id: string;
  readonly items: readonly PaletteItem[];
  readonly current: number;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (item: PaletteItem) => void;
}

const Options = ({ id, items, current, onPoint, onChoose }: OptionsProps) => {
  const t = useT();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={t(m.palette)} className="overflow-y-auto p-2">
      {items.length === 0 && <p className="px-2 py-6 text-center text-mute">{t(m.nothing_found)}</p>}
      {items.map((item, index) => (
        <div key={item.id} role="presentation">
          {item.section !== items[index - 1]?.section && (
            <p className="px-2 pt-2 pb-1 text-12 text-mute">{item.section}</p>
          )}
          <div
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onPointerMove={() => onPoint(index)}
            onClick={() => onChoose(item)}
            className="flex min-h-9 cursor-default items-center gap-2.5 rounded-control px-2 aria-selected:bg-raised pointer-coarse:min-h-11"
          >
            <Icon name={item.icon} className="size-4 text-mute" />
            <span className="truncate">{item.text}</span>
          </div>
        </div>
      ))}
    </div>
  );
};

let shown = false;

/** Opens the palette; does nothing while it is open. */
export const openPalette = (client: QueryClient, entries: readonly NavEntry[], go: (path: string) => void): void => {
  if (shown) return;
  shown = true;
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const close = (): void => {
    shown = false;
    root.unmount();
    container.remove();
  };
  root.render(
    <QueryClientProvider client={client}>
      <Palette entries={entries} go={go} onClosed={close} />
    </QueryClientProvider>,
  );
};
