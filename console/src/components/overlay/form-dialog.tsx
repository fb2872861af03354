import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { useReturnFocus } from '../../lib/hooks/use-return-focus.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../button.tsx';

interface FormDialogProps {
  readonly title: string;
  /** Explanation in one or two sentences. */
  readonly text?: string;
  readonly verb: string;
  readonly danger?: boolean;
  readonly busy: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A short form over the screen. It stays until it is submitted or closed. */
export const FormDialog = ({
  title,
  text,
  verb,
  danger = false,
  busy,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) => {
  const t = useT();
  const before = useReturnFocus();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-55 bg-veil" />
        <Dialog.Popup
          finalFocus={before}
          className="fixed top-[max(16px,12dvh)] left-1/2 z-56 max-h-[84dvh] w-[min(440px,calc(100vw-32px))] -translate-x-1/2 overflow-y-auto rounded-dialog bg-panel p-5 shadow-float outline-none"
        >
          <form
            noValidate
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (!busy) onSubmit();
            }}
          >
            <Dialog.Title className="text-16 font-semibold wrap-anywhere">{title}</Dialog.Title>
            {text && <Dialog.Description className="text-mute">{text}</Dialog.Description>}
            {children}
            <div className="flex justify-end gap-2">
              <Button onClick={onClose}>{t(m.cancel)}</Button>
              <Button type="submit" sends look={danger ? 'danger' : 'primary'} busy={busy}>
                {verb}
              </Button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
