import { logType } from '@weir/contract/logs';
import { can } from '@weir/contract/roles';
import { useCallback, useMemo } from 'react';
import { useUser } from '../../../lib/api/session.ts';
import { useSearchPart, useSearchPatch } from '../../../lib/hooks/use-search-state.ts';
import { logColumns } from './columns.tsx';
import type { LogRow } from './log-row.ts';
import { LogsFrame } from './logs-frame.tsx';
import { listSearch } from '../filters/logs-search.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { LogsTable } from './logs-table.tsx';
import { useLiveSwitch } from './use-live-switch.ts';
import { useLogs } from './use-logs.ts';

/** The log on a phone: cards, page by page. */
export const PhoneLogs = () => {
  const search = useSearchPart(listSearch);
  const patch = useSearchPatch<LogsSearch>();
  const admin = can(useUser()?.role, 'admin');
  const live = useLiveSwitch();
  const logs = useLogs(search, admin, live.state === 'on');
  const refused = search.type === logType.refused;
  const columns = useMemo(() => logColumns({ admin, refused, timed: true }), [admin, refused]);
  const open = useCallback((row: LogRow) => patch({ id: row.id, at: row.created_at }), [patch]);
  const toTop = (): void => {
    patch({ p: undefined });
    window.scrollTo({ top: 0 });
  };
  const shared = { search, patch, admin, logs, columns, onOpen: open };
  return (
    <LogsFrame {...shared} live={live} onTop={toTop}>
      <LogsTable {...shared} />
    </LogsFrame>
  );
};
