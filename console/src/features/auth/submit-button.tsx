import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';

interface SubmitButtonProps {
  readonly busy: boolean;
  readonly children: ReactNode;
}

/** The submit button of a card: as wide and as high as its fields. */
export const SubmitButton = ({ busy, children }: SubmitButtonProps) => (
  <Button type="submit" sends look="primary" size="h-9 px-3 pointer-coarse:h-11" busy={busy} className="mt-1 w-full">
    {children}
  </Button>
);
