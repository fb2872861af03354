import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SheetFrame } from './sheet-frame.ts';

interface RouteSheetProps {
  /** Address of the screen underneath. */
  readonly back: string;
  readonly children: ReactNode;
}

/** A panel over the right of the screen for a route that belongs to the list underneath; closing it goes back there. */
export const RouteSheet = ({ back, children }: RouteSheetProps) => {
  const navigate = useNavigate();
  const close = (): void => void navigate({ to: back, search: true, resetScroll: false });
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 animate-[appear_140ms_ease-out] bg-veil" />
        <Dialog.Popup className="fixed inset-y-0 right-0 z-50 flex w-[min(480px,100vw)] animate-[appear_140ms_ease-out] flex-col bg-panel shadow-float outline-none">
          <SheetFrame value={{ close, Title: Dialog.Title }}>{children}</SheetFrame>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
