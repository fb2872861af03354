import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../button.tsx';

interface RefreshButtonProps {
  readonly list: { readonly refetch: () => void; readonly fetching: boolean };
}

/** Reloads a list. */
export const RefreshButton = ({ list }: RefreshButtonProps) => {
  const t = useT();
  return (
    <Button icon="refresh" aria-keyshortcuts="r" busy={list.fetching} onClick={list.refetch}>
      {t(m.refresh)}
    </Button>
  );
};
