import { can } from '@weir/contract/roles';
import { Suspense, lazy, useCallback, useMemo } from 'react';
import { Button } from '../../components/button.tsx';
import { ListFacts, ListTools } from '../../components/list-tools.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useUser } from '../../lib/session.ts';
import { sortRows } from '../../lib/sort-rows.ts';
import { useSearchState } from '../../lib/use-search-state.ts';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { logColumns } from './columns.tsx';
import { LiveBar, LiveButton } from './live-bar.tsx';
import type { LogRow } from './log-row.ts';
import { logsSearch } from './logs-search.ts';
import { LogsTable } from './logs-table.tsx';
import { LogsToolbar } from './logs-toolbar.tsx';
import { LogsTotal } from './logs-total.tsx';
import { useLiveSwitch } from './use-live-switch.ts';
import { useLogs } from './use-logs.ts';

const LogDrawer = lazy(async () => ({ default: (await import('./log-drawer.tsx')).LogDrawer }));

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
  const showHeld = (): void => {
    patch({ p: undefined });
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      <PageHead title={t(m.log_title)} facts={<ListFacts list={list} />} />
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <LogsToolbar search={search} patch={patch} filters={filters} admin={admin} rows={list.rows} />
        {search.total === undefined && <Button onClick={() => patch({ total: 1 })}>{t(m.log_total_show)}</Button>}
        <div className="ml-auto flex items-center gap-1">
          <LiveButton state={live.state} onFlip={live.flip} />
          <ListTools name="logs" columns={columns} list={list} search={search} patch={patch} dense />
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
        onShowHeld={showHeld}
      />
      <LogsTable columns={columns} logs={logs} search={search} patch={patch} admin={admin} onOpen={open} />
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
