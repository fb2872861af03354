import { pageSize } from '@weir/contract/wire';
import { Suspense, lazy, useMemo } from 'react';
import { useColumns } from '../../lib/lists/column-choice.ts';
import { sortRows } from '../../lib/lists/sort-rows.ts';
import { usePhone } from '../../lib/hooks/use-media.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { BoundAction } from './bulk-bar.tsx';
import { CardList } from './card-list.tsx';
import type { BulkAction, Column, DataTableProps, ListSelection } from './data-table-types.ts';
import { Failure } from '../failure.tsx';
import { RowGrid } from './row-grid.tsx';
import { TableFooter } from './table-footer.tsx';
import { useSelection } from './use-selection.ts';

// Most visits select nothing.
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }));

/** The loaded rows that pass the view, sorted, and those of the current page. */
const useRows = <Row extends { readonly id: number }>(props: DataTableProps<Row>) => {
  const { list, columns, search, keep } = props;
  const size = search.size ?? props.usualSize ?? pageSize;
  const rows = useMemo(() => {
    const kept = keep ? list.rows.filter(keep) : list.rows;
    return sortRows(kept, search.sort, (id) => columns.find((column) => column.id === id)?.sortBy);
  }, [list.rows, keep, search.sort, columns]);
  const last = Math.max(1, Math.ceil(rows.length / size));
  // Beyond the end: the last page. Before everything is loaded, the end is unknown.
  const page = list.complete ? Math.min(search.p ?? 1, last) : (search.p ?? 1);
  const shown = useMemo(() => rows.slice((page - 1) * size, page * size), [rows, page, size]);
  return { rows, shown, page, size };
};

/** The list of the console: order, pages, columns and selection of rows that arrive page by page. */
export const DataTable = <Row extends { readonly id: number }>(props: DataTableProps<Row>) => {
  const { list, columns, search } = props;
  const phone = usePhone();
  const { rows, shown, page, size } = useRows(props);
  const selection = useSelection(shown.map(({ id }) => id));
  const visible = useColumns(props.name, columns, search.hide);
  if (list.error && list.rows.length === 0) return <Failure error={list.error} onRetry={list.refetch} />;

  const waiting = list.loading && shown.length === 0;
  const view = { ...props, rows: shown, columns: visible, waiting };
  const nothing = !waiting && !list.fetching && shown.length === 0;
  return (
    <div className="flex flex-col">
      <PartlyLoaded {...props} />
      <div className="relative overflow-hidden rounded-card border border-line bg-panel">
        {list.fetching && !waiting && <Progress />}
        {nothing && (list.rows.length === 0 && !search.q ? props.empty : props.noMatch)}
        {!nothing && phone && <CardList {...view} />}
        {!nothing && !phone && <RowGrid {...view} selection={selection} />}
      </div>
      <TableFooter {...props} page={page} size={size} shown={shown.length} loaded={rows.length} />
      <Chosen {...props} rows={rows} visible={visible} selection={selection} />
    </div>
  );
};

interface ChosenProps<Row extends { readonly id: number }> extends DataTableProps<Row> {
  readonly rows: readonly Row[];
  readonly visible: readonly Column<Row>[];
  readonly selection: ListSelection;
}

const Chosen = <Row extends { readonly id: number }>({
  name,
  rows,
  visible,
  selection,
  nameOf,
  bulk = [],
}: ChosenProps<Row>) => {
  const t = useT();
  const chosen = rows.filter((row) => selection.selected.has(row.id));
  if (chosen.length === 0) return null;
  const save = (): void =>
    void import('../list/export-rows.ts').then(({ exportRows }) => exportRows(name, visible, chosen));
  return (
    <Suspense>
      <BulkBar
        chosen={chosen.map((row) => ({ id: row.id, name: nameOf(row) }))}
        actions={bindActions(bulk, chosen, t)}
        onExport={save}
        onSelect={selection.setSelected}
      />
    </Suspense>
  );
};

const bindActions = <Row extends { readonly id: number }>(
  actions: readonly BulkAction<Row>[],
  rows: readonly Row[],
  t: Translate,
): BoundAction[] =>
  actions.map(({ text, icon, danger = false, allow, run }) => ({
    text: t(text),
    icon,
    danger,
    allow: async () => (allow ? allow(rows) : true),
    run: async (id) => {
      const row = rows.find((each) => each.id === id);
      if (row) await run(row);
    },
  }));

/** A thin line while the rows on screen are reloaded. */
const Progress = () => (
  <div className="absolute inset-x-0 top-0 z-10 h-0.5 overflow-hidden" aria-hidden="true">
    <div className="h-full w-1/4 animate-progress bg-brand" />
  </div>
);

/** Note that sorting or view cover only the loaded rows. */
const PartlyLoaded = <Row extends { readonly id: number }>({ list, search, keep, onLoadAll }: DataTableProps<Row>) => {
  const t = useT();
  const sorted = search.sort !== undefined;
  if (list.complete || list.loading || !(sorted || keep)) return null;
  return (
    <p role="status" className="pb-2 text-13 text-mute">
      {t(sorted ? m.sorted_within : m.filtered_within, { count: list.rows.length })}{' '}
      {onLoadAll && (
        <button type="button" className="font-medium text-brand underline underline-offset-2" onClick={onLoadAll}>
          {t(m.load_all)}
        </button>
      )}
    </p>
  );
};
