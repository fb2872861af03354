import type { ReactNode } from 'react';
import { navigate } from '../../lib/router/navigate.ts';
import { Sheet } from './sheet.tsx';

interface RouteSheetProps {
  /** Address of the screen underneath. */
  readonly back: string;
  readonly children: ReactNode;
}

/** A sheet for a screen that belongs to the list underneath; closing it goes back there. */
export const RouteSheet = ({ back, children }: RouteSheetProps) => (
  <Sheet onClose={() => void navigate(back, { keepSearch: true, keepScroll: true })}>{children}</Sheet>
);
