import { can } from '@weir/contract/roles';
import { Suspense, lazy, useCallback, useMemo } from 'react';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { DataTableProps } from '../../components/data-table-types.ts';
import { ListFacts, ListTools } from '../../components/list-tools.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { copyText } from '../../lib/clipboard.ts';
import { formatTime } from '../../lib/format.ts';
import { useUser } from '../../lib/session.ts';
import { sortRows } from '../../lib/sort-rows.ts';
import { toast } from '../../lib/toasts.ts';
import { useSearchState } from '../../lib/use-search-state.ts';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { logColumns } from './columns.tsx';
import { LiveBar, LiveButton } from './live-bar.tsx';
import { LogCard } from './log-card.tsx';
import { logEntries } from './log-entries.ts';
import type { LogRow } from './log-row.ts';
import { LogsEmpty } from './logs-empty.tsx';
import { logsSearch } from './logs-search.ts';
import { LogsToolbar } from './logs-toolbar.tsx';
import { LogsTotal } from './logs-total.tsx';
import { useLiveSwitch } from './use-live-switch.ts';
import { useLogs, usualSize } from './use-logs.ts';

const LogDrawer = lazy(async () => ({ default: (await import('./log-drawer.tsx')).LogDrawer }));

const copy = async (text: string): Promise<void> => {
  const copied = text !== '' && (await copyText(text));
  if (text !== '') toast(copied ? 'success' : 'warning', copied ? m.copied() : m.copy_refused());
};

/** The log: who called what, when, and what it cost. */
export const LogsScreen = () => {
  const t = useT();
  const [search, patch] = useSearchState(logsSearch);
  const admin = can(useUser()?.role, 'admin');
  const live = useLiveSwitch();
  const logs = useLogs(search, admin, live.state === 'on');
  const { list, filters, source } = logs;
  const timed = list.rows.some((row) => row.elapsed_time > 0);
  const columns = useMemo(() => logColumns({ admin, timed }), [admin, timed]);
  const open = useCallback((row: LogRow) => patch({ id: row.id, at: row.created_at }), [patch]);
  const table: Pick<DataTableProps<LogRow>, 'name' | 'columns' | 'list' | 'search' | 'patch' | 'dense'> = {
    name: 'logs',
    columns,
    list,
    search,
    patch,
    dense: true,
  };
  const empty = <LogsEmpty filters={filters} patch={patch} />;
  return (
    <>
      <PageHead title={t(m.log_title)} facts={<ListFacts list={list} />} />
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <LogsToolbar search={search} patch={patch} filters={filters} admin={admin} rows={list.rows} />
        {search.total === undefined && <Button onClick={() => patch({ total: 1 })}>{t(m.log_total_show)}</Button>}
        <div className="ml-auto flex items-center gap-1">
          <LiveButton state={live.state} onFlip={live.flip} />
          <ListTools {...table} />
        </div>
      </div>
      {search.total !== undefined && (
        <LogsTotal source={source} admin={admin} filters={filters} onHide={() => patch({ total: undefined })} />
      )}
      <LiveBar
        state={live.state}
        onResume={live.flip}
        held={logs.held}
        faltering={logs.faltering}
        onShowHeld={() => {
          patch({ p: undefined });
          window.scrollTo({ top: 0 });
        }}
      />
      <DataTable
        {...table}
        label={t(m.log_title)}
        usualSize={usualSize}
        nameOf={({ created_at, request_id }) => request_id || formatTime(created_at)}
        rowClass={({ id }) =>
          id === search.id ? 'bg-raised shadow-[inset_2px_0_var(--brand)]' : logs.fresh.has(id) ? 'animate-fresh' : ''
        }
        card={(row) => <LogCard row={row} />}
        onOpen={open}
        onCopy={(row) => void copy(row.request_id)}
        entriesOf={(row) => logEntries({ row, search, admin, t }, { open, copy: (text) => void copy(text) })}
        onLoadAll={logs.loadAll}
        empty={empty}
        noMatch={empty}
        footer={
          <Button icon="refresh" busy={list.fetching} onClick={list.refetch}>
            {t(m.refresh)}
          </Button>
        }
      />
      {search.id !== undefined && (
        <Suspense>
          <LogDrawer
            id={search.id}
            search={search}
            admin={admin}
            rows={sortRows(list.rows, search.sort, (id) => columns.find((column) => column.id === id)?.sortBy)}
            onStep={open}
            onClose={() => patch({ id: undefined, at: undefined })}
          />
        </Suspense>
      )}
    </>
  );
};
