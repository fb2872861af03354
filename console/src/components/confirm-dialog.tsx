import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useRef, useState } from 'react';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import { buttonClass } from './button.tsx';
import type { Confirmation } from './overlays.ts';

interface ConfirmDialogProps {
  readonly confirmation: Confirmation;
  readonly onAnswer: (goAhead: boolean) => void;
  readonly onClosed: () => void;
}

/** Focus starts on Cancel: going ahead takes a decision, not a reflex. */
export const ConfirmDialog = ({ confirmation, onAnswer, onClosed }: ConfirmDialogProps) => {
  const t = useT();
  const [open, setOpen] = useState(true);
  const cancel = useRef<HTMLButtonElement>(null);
  const settle = (goAhead: boolean): void => {
    onAnswer(goAhead);
    setOpen(false);
  };
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => !next && settle(false)}
      onOpenChangeComplete={(shown) => !shown && onClosed()}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-55 bg-veil" />
        <AlertDialog.Popup
          initialFocus={cancel}
          className="fixed top-[max(16px,18dvh)] left-1/2 z-56 flex max-h-[80dvh] w-[min(440px,calc(100vw-32px))] -translate-x-1/2 flex-col gap-3 rounded-dialog bg-panel p-5 shadow-float outline-none"
        >
          <AlertDialog.Title className="text-16 font-semibold wrap-anywhere">{confirmation.title}</AlertDialog.Title>
          <AlertDialog.Description className="text-mute wrap-anywhere">{confirmation.text}</AlertDialog.Description>
          {confirmation.list && (
            <ul
              tabIndex={0}
              aria-label={confirmation.title}
              className="max-h-40 overflow-y-auto rounded-control border border-line bg-raised px-3 py-2 text-13"
            >
              {confirmation.list.map((name, place) => (
                <li key={place} className="truncate">
                  {name}
                </li>
              ))}
            </ul>
          )}
          <div className="mt-2 flex justify-end gap-2">
            <button ref={cancel} type="button" className={buttonClass('plain')} onClick={() => settle(false)}>
              {t(m.cancel)}
            </button>
            <button
              type="button"
              className={buttonClass(confirmation.danger ? 'danger' : 'primary')}
              onClick={() => settle(true)}
            >
              {confirmation.verb}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};
