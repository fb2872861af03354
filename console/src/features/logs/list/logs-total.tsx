import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Money } from '../../../components/text/money.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { filterText } from '../filters/filter-text.ts';
import type { LogFilters } from '../filters/log-filters.ts';
import { totalQuery } from '../queries.ts';
import type { LogSource, LogTotal } from '../queries.ts';
import { rangeText } from '../filters/range-text.ts';

interface LogsTotalProps {
  readonly source: LogSource;
  readonly admin: boolean;
  readonly filters: LogFilters;
  readonly onHide: () => void;
}

/** Total consumption of the filtered records, and the filters it covers. */
export const LogsTotal = ({ source, admin, filters, onHide }: LogsTotalProps) => {
  const t = useT();
  const { data, isError, refetch } = useQuery(totalQuery(source, admin, filters));
  const scope = [rangeText(filters, t), ...filterText(filters, t)].join(' · ');
  return (
    <div role="status" className="mb-3 flex items-start gap-2 rounded-card border border-line bg-raised py-1 pr-1 pl-3">
      <p className="flex min-h-8 min-w-0 flex-1 flex-wrap items-center gap-x-2">
        <span className="text-mute">{t(m.log_total)}</span>
        {isError ? (
          <span className="text-bad">{t(m.log_total_failed)}</span>
        ) : data ? (
          <Figures {...data} />
        ) : (
          <Skeleton className="w-40" />
        )}
        <span className="text-13 wrap-anywhere text-mute">{scope}</span>
      </p>
      {isError && <Button onClick={() => void refetch()}>{t(m.retry)}</Button>}
      <IconButton icon="close" label={t(m.log_total_hide)} onClick={onHide} />
    </div>
  );
};

const Figures = ({ quota, tokens }: LogTotal) => {
  const t = useT();
  const language = useLanguage();
  return (
    <>
      <span className="text-16 font-semibold">
        <Money quota={quota} />
      </span>
      {tokens !== undefined && (
        <span className="tabular-nums">{t(m.log_token_count, { count: tokens.toLocaleString(language) })}</span>
      )}
    </>
  );
};
