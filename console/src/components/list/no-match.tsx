import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../button.tsx';
import { Empty } from '../empty.tsx';

interface NoMatchProps {
  readonly title: string;
  /** What is searched for and chosen. */
  readonly filters?: readonly (string | undefined)[];
  readonly onClear: () => void;
}

/** Stands where rows would when search and filters left none. */
export const NoMatch = ({ title, filters = [], onClear }: NoMatchProps) => {
  const t = useT();
  const text = filters.filter(Boolean).join(' · ');
  return (
    <Empty icon="search" title={title} text={text && <em>{text}</em>}>
      <Button onClick={onClear}>{t(m.clear_filters)}</Button>
    </Empty>
  );
};
