import type { Column } from '../../../components/table/data-table-types.ts';
import type { MenuEntry } from '../../../components/overlay/overlays.ts';
import { copyAloud } from '../../../lib/browser/copy-aloud.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { m } from '../../../paraglide/messages.js';
import { isExcludable, valueOf, withExcluded } from '../filters/excluded.ts';
import { copyRequest } from '../list/log-actions.ts';
import { logEntries } from '../list/log-entries.ts';
import type { Related } from '../list/log-entries.ts';
import type { LogRow } from '../list/log-row.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { filterTypes } from '../filters/logs-search.ts';

/** The filter for records with this record's value of a column. */
const filterFor = (row: LogRow, column: string): Partial<LogsSearch> | undefined => {
  switch (column) {
    case 'key':
      return { token_name: row.token_name };
    case 'model':
      return { model_name: row.model_name };
    case 'user':
      return { username: row.username };
    case 'channel':
      return { channel: row.channel };
    case 'type': {
      const type = filterTypes.find((each) => each === row.type);
      return type && { type };
    }
    default:
      return undefined;
  }
};

interface RowMenu extends Related {
  /** Column of the cell under the pointer. */
  readonly column: Column<LogRow> | undefined;
  readonly patch: Patch<LogsSearch>;
  readonly onOpen: (row: LogRow) => void;
}

const cellEntries = ({ row, column, t, patch, search }: RowMenu): readonly MenuEntry[] => {
  const value = String(column?.text?.(row) ?? '');
  if (column === undefined || value === '') return [];
  const filter = filterFor(row, column.id);
  const only = (): void => patch({ ...filter, p: undefined });
  const text = t(m.log_only, { value });
  const { id } = column;
  const excluded = isExcludable(id) ? withExcluded(search.not, { column: id, value: valueOf(row, id) }) : undefined;
  const exclude = (): void => patch({ not: excluded, p: undefined });
  return [
    ...(filter ? [{ kind: 'action', icon: 'filter', text, run: only } as const] : []),
    ...(excluded
      ? [{ kind: 'action', icon: 'eye-off', text: t(m.log_exclude, { value }), run: exclude } as const]
      : []),
    { kind: 'action', icon: 'copy', text: t(m.copy_named, { name: value }), run: () => void copyAloud(value) },
    { kind: 'line' },
  ];
};

/** The menu entries of a row: for the value under the pointer, and for the record. */
export const rowEntries = (menu: RowMenu): readonly MenuEntry[] => [
  ...cellEntries(menu),
  ...logEntries(menu, { open: menu.onOpen, copy: copyRequest }),
];
