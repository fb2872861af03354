import type { ReactNode } from 'react';
import { navigate } from '../../lib/router/navigate.ts';
import { Sheet } from './sheet.tsx';

interface RouteSheetProps {
  /** Address of the screen underneath. */
  readonly back: string;
  readonly children: ReactNode;
}

/** A sheet for a screen over its list; closing it returns to the list. */
export const RouteSheet = ({ back, children }: RouteSheetProps) => (
  <Sheet onClose={() => void navigate(back, { keepSearch: true, keepScroll: true })}>{children}</Sheet>
);
