import { Suspense, lazy, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { usePhone } from '../../../lib/hooks/use-media.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { FilterInput } from '../filters/filter-input.tsx';
import { filterLabels } from '../filters/filter-text.ts';
import { activeFilters, noFilters } from '../filters/log-filters.ts';
import type { LogFilters } from '../filters/log-filters.ts';
import { valuesOf } from '../log-format.ts';
import type { LogRow } from './log-row.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { RangeButton } from '../filters/range-button.tsx';
import { isChannel, readTextFilter, textFilters } from '../filters/text-filters.ts';
import { TypeSelect } from '../filters/type-select.tsx';

const sheet = () => import('../filters/filters-sheet.tsx');
const FiltersSheet = lazy(async () => ({ default: (await sheet()).FiltersSheet }));

interface LogsToolbarProps {
  readonly search: LogsSearch;
  readonly patch: Patch<LogsSearch>;
  readonly filters: LogFilters;
  readonly admin: boolean;
  readonly rows: readonly LogRow[];
}

/** Range and filters; the fields show the current values. */
export const LogsToolbar = (props: LogsToolbarProps) => {
  const phone = usePhone();
  return (
    <>
      <RangeButton search={props.search} patch={props.patch} />
      {phone ? <PhoneFilters {...props} /> : <WideFilters {...props} />}
    </>
  );
};

const WideFilters = ({ patch, filters, admin, rows }: LogsToolbarProps) => {
  const t = useT();
  const channelOnly = { fits: isChannel, error: t(m.log_filter_channel_error) };
  return (
    <>
      <TypeSelect type={filters.type} admin={admin} onPick={(type) => patch({ type, p: undefined })} />
      {textFilters(admin).map((name, index) => (
        <FilterInput
          key={name}
          shortcut={index === 0 ? 'f' : undefined}
          label={t(filterLabels[name])}
          value={String(filters[name] ?? '')}
          suggestions={valuesOf(rows, name)}
          onApply={(text) => patch({ ...readTextFilter(name, text), p: undefined })}
          {...(name === 'channel' ? channelOnly : {})}
        />
      ))}
      {/* Its room is kept without filters: a row that wraps would move the list. */}
      <span className={activeFilters(filters).length > 0 ? 'contents' : 'invisible contents'}>
        <Button look="quiet" onClick={() => patch(noFilters)}>
          {t(m.clear_filters)}
        </Button>
      </span>
    </>
  );
};

const PhoneFilters = ({ patch, filters, admin }: LogsToolbarProps) => {
  const t = useT();
  const [open, setOpen] = useState(false);
  const count = activeFilters(filters).length;
  return (
    <>
      <Button
        icon="filter"
        aria-keyshortcuts="f"
        aria-haspopup="dialog"
        onPointerEnter={() => void sheet()}
        onFocus={() => void sheet()}
        onClick={() => setOpen(true)}
      >
        {count > 0 ? t(m.log_filters_count, { count }) : t(m.log_filters)}
      </Button>
      {open && (
        <Suspense>
          <FiltersSheet
            filters={filters}
            names={textFilters(admin)}
            onApply={(next) => patch({ ...next, p: undefined })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
};
