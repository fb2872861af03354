import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { Logs } from './use-logs.ts';

interface PartlySortedProps {
  readonly sort: string | undefined;
  readonly logs: Pick<Logs, 'list' | 'loadAll'>;
}

/** Says so where the order covers only what has been loaded. */
export const PartlySorted = ({ sort, logs: { list, loadAll } }: PartlySortedProps) => {
  const t = useT();
  if (sort === undefined || list.complete || list.loading) return null;
  return (
    <p role="status" className="pb-2 text-13 text-mute">
      {t(m.sorted_within, { count: list.rows.length })}{' '}
      <button type="button" className="font-medium text-brand underline underline-offset-2" onClick={loadAll}>
        {t(m.load_all)}
      </button>
    </p>
  );
};
