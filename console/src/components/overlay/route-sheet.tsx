import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Sheet } from './sheet.tsx';

interface RouteSheetProps {
  /** Address of the screen underneath. */
  readonly back: string;
  readonly children: ReactNode;
}

/** A sheet for a route that belongs to the list underneath; closing it goes back there. */
export const RouteSheet = ({ back, children }: RouteSheetProps) => {
  const navigate = useNavigate();
  return <Sheet onClose={() => void navigate({ to: back, search: true, resetScroll: false })}>{children}</Sheet>;
};
