import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { IconButton } from '../components/icon-button.tsx';
import { useT } from '../lib/hooks/use-t.ts';
import type { Message } from '../lib/hooks/use-t.ts';
import { m } from '../paraglide/messages.js';
import { commandKey, shiftKey } from '../lib/browser/platform-keys.ts';
import { useNavEntries } from './layout/navigation.ts';

type Line = readonly [keys: string, text: Message];

const keys: readonly Line[] = [
  [`${commandKey}K`, m.palette],
  ['/', m.shortcut_search],
  ['n', m.shortcut_new],
  ['r', m.refresh],
  ['f', m.shortcut_filter],
  [`${shiftKey}D`, m.shortcut_theme],
  ['↑ ↓', m.shortcut_rows],
  ['x', m.shortcut_select],
  ['Enter', m.shortcut_open],
  ['.', m.shortcut_menu],
  ['c', m.shortcut_copy],
  ['l', m.shortcut_live],
  ['← →', m.shortcut_records],
  ['Esc', m.shortcut_close],
  ['?', m.shortcuts],
];

const ShortcutSheet = ({ onClosed }: { readonly onClosed: () => void }) => {
  const t = useT();
  const goLines = useNavEntries().flatMap(({ key, title }): Line[] => (key ? [[`g ${key}`, title]] : []));
  const [open, setOpen] = useState(true);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(shown) => !shown && onClosed()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed top-[max(16px,14dvh)] left-1/2 z-50 max-h-[80dvh] w-[min(440px,calc(100vw-32px))] -translate-x-1/2 overflow-y-auto rounded-dialog bg-panel p-5 shadow-float outline-none">
          <div className="flex items-center justify-between pb-3">
            <Dialog.Title className="text-16 font-semibold">{t(m.shortcuts)}</Dialog.Title>
            <IconButton icon="close" label={t(m.close)} onClick={() => setOpen(false)} />
          </div>
          <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
            {[...keys, ...goLines].map(([key, text]) => (
              <div key={key} className="contents">
                <dt>{t(text)}</dt>
                <dd>
                  <kbd className="rounded-[4px] border border-line bg-raised px-1.5 py-0.5 font-mono text-12">
                    {key}
                  </kbd>
                </dd>
              </div>
            ))}
          </dl>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

export const openShortcutSheet = (): void => {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const close = (): void => {
    root.unmount();
    container.remove();
  };
  root.render(<ShortcutSheet onClosed={close} />);
};
