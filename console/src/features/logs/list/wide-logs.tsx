import { logType } from '@weir/contract/logs';
import { can } from '@weir/contract/roles';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { Failure } from '../../../components/failure.tsx';
import type { Column } from '../../../components/table/data-table-types.ts';
import { LongGrid } from '../../../components/table/long-grid.tsx';
import { TableFooter } from '../../../components/table/table-footer.tsx';
import { RefreshButton } from '../../../components/list/refresh-button.tsx';
import { useColumns } from '../../../lib/lists/column-choice.ts';
import { pageAt } from '../../../lib/lists/pager.ts';
import type { Seen } from '../../../lib/lists/pager.ts';
import { useUser } from '../../../lib/api/session.ts';
import { createStore, useStorePart } from '../../../lib/store.ts';
import { useLatest } from '../../../lib/hooks/use-latest.ts';
import { useSearchPart, useSearchPatch } from '../../../lib/hooks/use-search-state.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { logColumns } from './columns.tsx';
import { copyRequest, nameOfLog } from './log-actions.ts';
import type { LogRow } from './log-row.ts';
import { JumpButton, LogsEmpty, rowMenu } from '../lazy-parts.ts';
import { LogsFrame } from './logs-frame.tsx';
import { listSearch, openSearch } from '../filters/logs-search.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { useLiveSwitch } from './use-live-switch.ts';
import { useLongLogs } from './use-long-logs.ts';
import type { LongLogs } from './use-long-logs.ts';
import { usualSize } from './use-logs.ts';
import type { Logs } from './use-logs.ts';

interface PartlySortedProps {
  readonly sort: string | undefined;
  /** Some of the loaded records are excluded. */
  readonly filtered: boolean;
  readonly logs: Pick<Logs, 'list' | 'loadAll'>;
}

/** Note that sorting or exclusions cover only the loaded records. */
const PartlySorted = ({ sort, filtered, logs: { list, loadAll } }: PartlySortedProps) => {
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

/** Waits until the scroll bar rests before it writes the page into the address. */
const restMs = 250;
/** Rows from the top within which new records are inserted. */
const atTopRows = 3;

/** Scroll position of the list and its target. A scroll frame renders only the subscribers of the position. */
const useScrollPosition = (row: number) => {
  const [start, setStart] = useState({ row });
  const [seen] = useState(() => createStore<Seen>({ top: row, count: 0 }));
  const moved = (top: number, count: number): void => {
    const before = seen.get();
    if (top !== before.top || count !== before.count) seen.set({ top, count });
  };
  return { start, seen, moved, goTo: (next: number) => setStart({ row: next }) };
};

/** Reports the page on screen after it has been stable for a moment. */
const useRest = (page: number, measured: boolean, onRest: (page: number) => void): void => {
  const latest = useLatest(onRest);
  useEffect(() => {
    if (!measured) return undefined;
    const timer = setTimeout(() => latest.current(page), restMs);
    return () => clearTimeout(timer);
  }, [page, measured, latest]);
};

/** The log on a wide screen: a grid of any number of records. */
export const WideLogs = () => {
  const search = useSearchPart(listSearch);
  const patch = useSearchPatch<LogsSearch>();
  const admin = can(useUser()?.role, 'admin');
  const live = useLiveSwitch();
  const size = search.size ?? usualSize;
  const page = search.p ?? 1;
  const position = useScrollPosition((page - 1) * size);
  const refused = search.type === logType.refused;
  const columns = useMemo(() => logColumns({ admin, refused, timed: true }), [admin, refused]);
  const on = live.state === 'on';
  const away = useStorePart(position.seen, ({ top }) => top > atTopRows);
  const logs = useLongLogs({ search, admin, live: on, columns, away, atLeast: page * size });
  const { list, total } = logs;
  const open = (row: LogRow): void => patch({ id: row.id, at: row.created_at });
  const shared = { search, patch, admin, logs, columns, onOpen: open };
  return (
    <LogsFrame {...shared} live={live} onTop={() => position.goTo(0)}>
      <PartlySorted sort={search.sort} filtered={search.not !== undefined} logs={logs} />
      {list.error !== null && list.rows.length === 0 ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <div className="flex flex-col overflow-hidden rounded-card border border-line bg-panel">
          {!list.loading && total === 0 ? (
            <Suspense fallback={<div className="h-64" />}>
              <LogsEmpty filters={logs.filters} patch={patch} hidden={list.rows.length} />
            </Suspense>
          ) : (
            <LogsGrid {...shared} key={JSON.stringify(logs.source.key)} position={position} />
          )}
        </div>
      )}
      <div className="mt-auto md:sticky md:bottom-0 md:z-10">
        <Pager logs={logs} patch={patch} page={page} size={size} position={position} />
      </div>
    </LogsFrame>
  );
};

interface LogsGridProps {
  readonly search: LogsSearch;
  readonly patch: Patch<LogsSearch>;
  readonly admin: boolean;
  readonly logs: LongLogs;
  readonly columns: readonly Column<LogRow>[];
  readonly onOpen: (row: LogRow) => void;
  readonly position: ReturnType<typeof useScrollPosition>;
}

/** The open record is marked, new ones fade in. */
const LogsGrid = ({ search, patch, admin, logs, columns, onOpen, position }: LogsGridProps) => {
  const t = useT();
  const open = useSearchPart(openSearch);
  const lookOf = ({ id }: LogRow): string => {
    if (id === open.id) return 'bg-raised shadow-[inset_2px_0_var(--brand)]';
    return logs.fresh.has(id) ? 'animate-fresh' : '';
  };
  return (
    <LongGrid
      label={t(m.log_title)}
      columns={useColumns('logs', columns, search.hide)}
      total={logs.total}
      exact={logs.exact}
      rowAt={logs.rowAt}
      onShow={(first, count) => {
        logs.show(first, count);
        position.moved(first, count);
      }}
      sort={search.sort}
      onSort={(sort) => patch({ sort })}
      rowClass={lookOf}
      start={position.start}
      busy={logs.list.fetching}
      nameOf={nameOfLog}
      onOpen={onOpen}
      onCopy={copyRequest}
      entriesOf={async (row, cell) => {
        const column = columns.find(({ id }) => id === cell);
        return (await rowMenu()).rowEntries({ row, column, search, admin, t, patch, onOpen });
      }}
    />
  );
};

interface PagerProps {
  readonly logs: LongLogs;
  readonly patch: Patch<LogsSearch>;
  /** The page in the address. */
  readonly page: number;
  readonly size: number;
  readonly position: ReturnType<typeof useScrollPosition>;
}

/** Current page of the grid; choosing one scrolls the grid. */
const Pager = ({ logs: { list, total, exact, rowAtTime }, patch, page, size, position }: PagerProps) => {
  const [requested, setRequested] = useState(page);
  const onScreen = useStorePart(position.seen, (seen) => pageAt({ ...seen, total, size, requested }));
  const measured = useStorePart(position.seen, ({ count }) => count > 0);
  const setPage = (next: number): void => {
    if (next !== page) patch({ p: next === 1 ? undefined : next });
  };
  useRest(onScreen, measured && !list.loading, setPage);
  const goToPage = (next: number): void => {
    setRequested(next);
    position.goTo((next - 1) * size);
    setPage(next);
  };
  const before = (onScreen - 1) * size;
  return (
    <TableFooter
      list={{ ...list, complete: exact }}
      patch={(changes) => ('size' in changes ? patch(changes) : goToPage(changes.p ?? 1))}
      usualSize={usualSize}
      footer={
        <>
          <RefreshButton list={list} />
          {rowAtTime && !list.loading && total > size && (
            <Suspense>
              <JumpButton rowAtTime={rowAtTime} onRow={position.goTo} />
            </Suspense>
          )}
        </>
      }
      page={onScreen}
      size={size}
      shown={list.loading ? 0 : Math.max(0, Math.min(size, total - before))}
      loaded={total}
    />
  );
};
