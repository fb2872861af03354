import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { IconButton } from '../../components/icon-button.tsx';
import { commandKey } from '../../lib/browser/platform-keys.ts';
import { useLatest } from '../../lib/hooks/use-latest.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import type { NavEntry } from '../layout/navigation.ts';

const palette = () => import('./palette.tsx');
const warm = (): void => void palette();

/** Opens the command palette, like ⌘K or Ctrl K on any screen. */
export const PaletteButton = ({
  entries,
  className = '',
}: {
  readonly entries: readonly NavEntry[];
  readonly className?: string;
}) => {
  const t = useT();
  const client = useQueryClient();
  const go = (path: string): void => void navigate(path);
  const open = async (): Promise<void> => (await palette()).openPalette(client, entries, go);
  const latest = useLatest(open);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      void latest.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [latest]);
  return (
    <IconButton
      icon="search"
      label={`${t(m.palette)} (${commandKey}K)`}
      aria-haspopup="dialog"
      className={className}
      onPointerEnter={warm}
      onFocus={warm}
      onClick={() => void open()}
    />
  );
};
