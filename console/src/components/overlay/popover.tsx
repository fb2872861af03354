import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode } from 'react';

interface PopoverProps {
  readonly anchor: HTMLElement;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A small panel below a button; returns the focus to the button on close. */
export const Popover = ({ anchor, label, onClose, children }: PopoverProps) => (
  <Base.Root
    open
    onOpenChange={(open, { event }) => {
      // A press on the button is handled by the button.
      const pressed = event instanceof PointerEvent && event.target instanceof Node && anchor.contains(event.target);
      if (!open && !pressed) onClose();
    }}
  >
    <Base.Portal>
      <Base.Positioner anchor={anchor} align="start" sideOffset={4} collisionPadding={8} className="z-50">
        <Base.Popup
          aria-label={label}
          finalFocus={() => anchor}
          className="max-h-(--available-height) max-w-(--available-width) animate-rise overflow-y-auto rounded-card bg-panel shadow-float outline-none"
        >
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
