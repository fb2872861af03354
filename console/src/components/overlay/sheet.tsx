import { Dialog } from '@base-ui/react/dialog';
import { useRef } from 'react';
import type { KeyboardEventHandler, ReactNode } from 'react';
import { useReturnFocus } from '../../lib/hooks/use-return-focus.ts';
import { SheetFrame } from './sheet-frame.ts';

interface SheetProps {
  readonly onClose: () => void;
  /** Keeps the screen underneath usable: a record beside its list. */
  readonly beside?: boolean;
  readonly onKeyDown?: KeyboardEventHandler;
  readonly children: ReactNode;
}

/** A panel over the right of the screen; as wide as a phone. */
export const Sheet = ({ onClose, beside = false, onKeyDown, children }: SheetProps) => {
  const popup = useRef<HTMLDivElement>(null);
  const before = useReturnFocus();
  return (
    <Dialog.Root open modal={!beside} disablePointerDismissal={beside} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        {!beside && <Dialog.Backdrop className="fixed inset-0 z-40 animate-[appear_140ms_ease-out] bg-veil" />}
        <Dialog.Popup
          ref={popup}
          // Beside a list the sheet has no fields: the whole panel takes the focus and its keys.
          initialFocus={beside ? popup : true}
          finalFocus={before}
          onKeyDown={onKeyDown}
          className="fixed inset-y-0 right-0 z-50 flex w-[min(480px,100vw)] animate-[appear_140ms_ease-out] flex-col bg-panel shadow-float outline-none"
        >
          <SheetFrame value={{ close: onClose, Title: Dialog.Title }}>{children}</SheetFrame>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
