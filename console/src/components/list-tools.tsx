import { chooseColumn, readColumns, resetColumns, shownColumns } from '../lib/column-choice.ts';
import { density } from '../lib/density.ts';
import { formatTime } from '../lib/format.ts';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import type { Column, DataTableProps } from './data-table-types.ts';
import { IconButton } from './icon-button.tsx';
import { menuTrigger } from './overlays.ts';
import type { MenuEntry } from './overlays.ts';
import { ViewsButton } from './views-button.tsx';

type ListToolsProps<Row extends { readonly id: number }> = Pick<
  DataTableProps<Row>,
  'name' | 'columns' | 'list' | 'search' | 'patch' | 'dense'
>;

/** Columns and density, and the export of what is loaded. */
export const ListTools = <Row extends { readonly id: number }>({
  name,
  columns,
  list,
  search,
  patch,
  dense = false,
}: ListToolsProps<Row>) => {
  const t = useT();
  const visible = (): readonly Column<Row>[] => shownColumns(columns, readColumns(name, search.hide));
  const columnEntries = (): MenuEntry[] => {
    let hidden = readColumns(name, search.hide);
    const shown = visible();
    return columns
      .filter((column) => column.fixed !== true)
      .map((column) => ({
        kind: 'check',
        text: t(column.title),
        checked: shown.includes(column),
        flip: () => {
          hidden = chooseColumn(name, columns, hidden, column.id);
          patch({ hide: hidden });
        },
      }));
  };
  const setDensity = (next: 'comfortable' | 'compact'): MenuEntry => ({
    kind: 'choice',
    text: t(next === 'compact' ? m.density_compact : m.density_comfortable),
    chosen: density.get() === next,
    run: () => density.set(next),
  });
  const densityEntries = (): MenuEntry[] => [
    { kind: 'line' },
    { kind: 'group', text: t(m.density), entries: [setDensity('comfortable'), setDensity('compact')] },
  ];
  const reset = (): void => {
    resetColumns(name);
    patch({ hide: undefined });
  };
  const entries = (): MenuEntry[] => [
    { kind: 'group', text: t(m.columns), entries: columnEntries() },
    { kind: 'action', text: t(m.columns_reset), icon: 'refresh', run: reset },
    ...(dense ? [] : densityEntries()),
  ];
  const label = t(dense ? m.columns : m.columns_and_density);
  const save = (): void =>
    void import('./export-rows.ts').then(({ exportRows }) => exportRows(name, visible(), list.rows));
  return (
    <div className="flex items-center">
      <ViewsButton list={name} />
      <IconButton icon="download" label={t(m.export_loaded)} disabled={list.rows.length === 0} onClick={save} />
      <IconButton icon="columns" label={label} {...menuTrigger(() => ({ label, entries: entries() }))} />
    </div>
  );
};

/** "12 loaded · refreshed 14:02" */
export const ListFacts = <Row,>({ list }: { readonly list: DataTableProps<Row & { readonly id: number }>['list'] }) => {
  const t = useT();
  if (list.updatedAt === 0) return null;
  return <>{t(m.loaded_facts, { count: list.rows.length, time: formatTime(list.updatedAt / 1000).slice(11, 16) })}</>;
};
