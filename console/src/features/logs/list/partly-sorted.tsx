import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { Logs } from './use-logs.ts';

interface PartlySortedProps {
  readonly sort: string | undefined;
  /** Some of what is loaded is left out. */
  readonly filtered: boolean;
  readonly logs: Pick<Logs, 'list' | 'loadAll'>;
}

/** Says so where order or exclusions cover only what has been loaded. */
export const PartlySorted = ({ sort, filtered, logs: { list, loadAll } }: PartlySortedProps) => {
  const t = useT();
  if ((sort === undefined && !filtered) || list.complete || list.loading) return null;
  return (
    <p role="status" className="pb-2 text-13 text-mute">
      {t(sort === undefined ? m.filtered_within : m.sorted_within, { count: list.rows.length })}{' '}
      <button type="button" className="font-medium text-brand underline underline-offset-2" onClick={loadAll}>
        {t(m.load_all)}
      </button>
    </p>
  );
};
