import { Suspense, useMemo } from 'react';
import { RefreshButton } from '../../../components/list/refresh-button.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import type { Column } from '../../../components/table/data-table-types.ts';
import { useSearchPart } from '../../../lib/hooks/use-search-state.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { keeper } from '../filters/excluded.ts';
import { LogsEmpty } from '../lazy-parts.ts';
import { copyRequest, nameOfLog } from './log-actions.ts';
import { logEntries } from './log-entries.ts';
import type { LogRow } from './log-row.ts';
import { openSearch } from '../filters/logs-search.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { usualSize } from './use-logs.ts';
import type { Logs } from './use-logs.ts';
import { Icon } from '../../../components/icon.tsx';
import { formatTime } from '../../../lib/format/format.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { CostCell } from './log-cells.tsx';
import { isCall, wordOf } from '../filters/log-type.ts';

interface LogCardProps {
  readonly row: LogRow;
  readonly admin: boolean;
}

/** A record on a phone: model and cost (or status) first; then user, token and rule; then time and token counts. */
const LogCard = ({ row, admin }: LogCardProps) => {
  const t = useT();
  const language = useLanguage();
  const [word, icon] = wordOf(row);
  const call = isCall(row.type);
  const about = [admin && row.username, row.token_name, row.refusal?.rule, !row.token_name && row.content]
    .filter(Boolean)
    .join(' · ');
  const tokens = t(m.log_token_count, { count: (row.prompt_tokens + row.completion_tokens).toLocaleString(language) });
  return (
    <span className="flex flex-col gap-0.5">
      <span className="flex items-center gap-2">
        {icon && <Icon name={icon} className="size-4 text-mute" />}
        <span className="min-w-0 flex-1 truncate font-semibold">{row.model_name || t(word)}</span>
        <span className="tabular-nums">{row.refusal ? row.refusal.status : <CostCell row={row} />}</span>
      </span>
      {about !== '' && <span className="truncate text-13">{about}</span>}
      <span className="flex gap-1 text-12 whitespace-nowrap text-mute tabular-nums">
        <span>{formatTime(row.created_at)}</span>
        {call && <span className="truncate">· {tokens}</span>}
      </span>
    </span>
  );
};

const cardOf = (row: LogRow) => <LogCard row={row} admin={false} />;
const cardWithUser = (row: LogRow) => <LogCard row={row} admin />;

interface LogsTableProps {
  readonly columns: readonly Column<LogRow>[];
  readonly logs: Logs;
  readonly search: LogsSearch;
  readonly patch: Patch<LogsSearch>;
  readonly admin: boolean;
  readonly onOpen: (row: LogRow) => void;
}

/** The records as cards, page by page; the open one is marked, new ones fade in. */
export const LogsTable = ({ columns, logs, search, patch, admin, onOpen }: LogsTableProps) => {
  const t = useT();
  const open = useSearchPart(openSearch);
  const { list, filters, fresh } = logs;
  const lookOf = ({ id }: LogRow): string => {
    if (id === open.id) return 'bg-raised shadow-[inset_2px_0_var(--brand)]';
    return fresh.has(id) ? 'animate-fresh' : '';
  };
  const keep = useMemo(() => keeper(search.not), [search.not]);
  const empty = (
    <Suspense fallback={<div className="h-64" />}>
      <LogsEmpty filters={filters} patch={patch} hidden={list.rows.length} />
    </Suspense>
  );
  return (
    <DataTable
      name="logs"
      label={t(m.log_title)}
      columns={columns}
      list={list}
      search={search}
      patch={patch}
      keep={keep}
      dense
      usualSize={usualSize}
      nameOf={nameOfLog}
      rowClass={lookOf}
      card={admin ? cardWithUser : cardOf}
      onOpen={onOpen}
      onCopy={copyRequest}
      entriesOf={(row) => logEntries({ row, search, admin, t }, { open: onOpen, copy: copyRequest })}
      onLoadAll={logs.loadAll}
      empty={empty}
      noMatch={empty}
      footer={<RefreshButton list={list} />}
    />
  );
};
