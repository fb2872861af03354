import { Suspense, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import type { Column } from '../../../components/table/data-table-types.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { ListTools } from '../../../components/list/list-tools.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { sortRows } from '../../../lib/lists/sort-rows.ts';
import { usePainted } from '../../../lib/hooks/use-painted.ts';
import { useSearchPart } from '../../../lib/hooks/use-search-state.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { keeper } from '../filters/excluded.ts';
import { ExcludedBar, LogDrawer, LogsAccount, LogsHistogram, LogsTotal } from '../lazy-parts.ts';
import { LiveBar, LiveButton } from './live-bar.tsx';
import type { LogRow } from './log-row.ts';
import { openSearch } from '../filters/logs-search.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { LogsToolbar } from './logs-toolbar.tsx';
import type { useLiveSwitch } from './use-live-switch.ts';
import type { Logs } from './use-logs.ts';
import { readPreference, writePreference } from '../../../lib/browser/storage.ts';
import { usePhone } from '../../../lib/hooks/use-media.ts';
import { menuTrigger } from '../../../components/overlay/overlays.ts';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
import type { LogFilters } from '../filters/log-filters.ts';
import { exportHref } from '../queries.ts';
import type { LogSource } from '../queries.ts';

interface ExportButtonProps {
  readonly source: LogSource;
  readonly admin: boolean;
  readonly filters: LogFilters;
}

const save = (href: string): void => {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
};

/** Exports all matching records as a file that the server streams. */
const ExportButton = ({ source, admin, filters }: ExportButtonProps) => {
  const t = useT();
  const entry = (format: 'csv' | 'jsonl', text: string) =>
    ({ kind: 'action', icon: 'download', text, run: () => save(exportHref(source, admin, filters, format)) }) as const;
  const entries = [entry('csv', t(m.log_export_csv)), entry('jsonl', t(m.log_export_jsonl))];
  const label = t(m.log_export);
  return <IconButton icon="download" label={label} {...menuTrigger(() => ({ label, entries }))} />;
};

const afterMs = 300;

/** The chart waits until the first view is complete: it is the largest piece of the page. */
const useLater = (): boolean => {
  const [later, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setLater, afterMs, true);
    return () => clearTimeout(timer);
  }, []);
  return later;
};

/** Whether the chart is shown: the stored preference, by default if the window is large enough. */
const useHistogramSwitch = () => {
  const phone = usePhone();
  const [stored, setStored] = useState(() => readPreference('log-chart'));
  const shown = typeof stored === 'boolean' ? stored : !phone;
  const later = useLater();
  const flip = (): void => {
    writePreference('log-chart', !shown);
    setStored(!shown);
  };
  return { shown, ready: shown && later, flip };
};

interface LogsFrameProps {
  readonly search: LogsSearch;
  readonly patch: Patch<LogsSearch>;
  readonly admin: boolean;
  readonly logs: Logs;
  readonly live: ReturnType<typeof useLiveSwitch>;
  readonly columns: readonly Column<LogRow>[];
  readonly onOpen: (row: LogRow) => void;
  /** Scrolls to the newest records. */
  readonly onTop: () => void;
  readonly children: ReactNode;
}

/** The frame of the records: tools above, the open record beside them. */
export const LogsFrame = (props: LogsFrameProps) => {
  const { search, patch, admin, logs, live, columns, onTop } = props;
  const { list, filters, source } = logs;
  const t = useT();
  const histogram = useHistogramSwitch();
  // Other servers of the contract have no export: there the loaded rows are exported.
  const streams = useCapabilities();
  return (
    <>
      <PageHead title={t(m.log_title)} />
      <Account filters={filters} patch={patch} />
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <LogsToolbar search={search} patch={patch} filters={filters} admin={admin} rows={list.rows} />
        {search.total === undefined && <Button onClick={() => patch({ total: 1 })}>{t(m.log_total_show)}</Button>}
        <div className="ml-auto flex items-center gap-1">
          <LiveButton state={live.state} onFlip={live.flip} />
          <IconButton
            icon="chart"
            label={t(histogram.shown ? m.log_chart_hide : m.log_chart_show)}
            aria-pressed={histogram.shown}
            onClick={histogram.flip}
          />
          <ListTools
            name="logs"
            columns={columns}
            list={list}
            search={search}
            patch={patch}
            keep={keeper(search.not)}
            dense
            exporter={streams ? <ExportButton source={source} admin={admin} filters={filters} /> : undefined}
          />
        </div>
      </div>
      {histogram.shown && (list.loading || list.rows.length > 0) && (
        <div className="mb-3 min-h-22">
          {histogram.ready && !list.loading && (
            <Suspense>
              <LogsHistogram source={source} admin={admin} filters={filters} rows={list.rows} patch={patch} />
            </Suspense>
          )}
        </div>
      )}
      {search.total !== undefined && (
        <Suspense fallback={<div className="mb-3 h-10.5" />}>
          <LogsTotal source={source} admin={admin} filters={filters} onHide={() => patch({ total: undefined })} />
        </Suspense>
      )}
      {search.not !== undefined && (
        <Suspense fallback={<div className="h-10" />}>
          <ExcludedBar not={search.not} patch={patch} />
        </Suspense>
      )}
      <LiveBar state={live.state} onResume={live.flip} held={logs.held} faltering={logs.faltering} onShowHeld={onTop} />
      {props.children}
      <OpenRecord {...props} />
    </>
  );
};

const Account = ({
  filters: { team, token_id: tokenId },
  patch,
}: Pick<LogsFrameProps, 'patch'> & Pick<Logs, 'filters'>) =>
  team === undefined ? null : (
    <Suspense fallback={<div className="h-10" />}>
      <LogsAccount team={team} tokenId={tokenId} patch={patch} />
    </Suspense>
  );

/** The row is marked at once; the drawer, which takes longer to draw, follows in the next frame. */
const OpenRecord = (props: LogsFrameProps) => {
  const open = useSearchPart(openSearch);
  const painted = usePainted(open.id !== undefined);
  return open.id !== undefined && painted ? (
    <Drawer {...props} search={{ ...props.search, ...open }} id={open.id} />
  ) : null;
};

const Drawer = ({ id, search, patch, admin, logs, columns, onOpen }: LogsFrameProps & { readonly id: number }) => (
  <Suspense>
    <LogDrawer
      id={id}
      search={search}
      admin={admin}
      rows={sortRows(
        logs.list.rows.filter(keeper(search.not) ?? (() => true)),
        search.sort,
        (name) => columns.find((column) => column.id === name)?.sortBy,
      )}
      onStep={onOpen}
      onClose={() => patch({ id: undefined, at: undefined })}
    />
  </Suspense>
);
