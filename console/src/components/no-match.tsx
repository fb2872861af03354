import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';

interface NoMatchProps {
  readonly title: string;
  readonly text?: string;
  readonly onClear: () => void;
}

/** Stands where rows would when search and filters left none. */
export const NoMatch = ({ title, text, onClear }: NoMatchProps) => {
  const t = useT();
  return (
    <Empty icon="search" title={title} text={text}>
      <Button onClick={onClear}>{t(m.clear_filters)}</Button>
    </Empty>
  );
};
