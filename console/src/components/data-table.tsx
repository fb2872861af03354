import { pageSize } from '@weir/contract/wire';
import { Suspense, lazy, useMemo, useState } from 'react';
import { readColumns, shownColumns } from '../lib/column-choice.ts';
import { sortRows } from '../lib/sort-rows.ts';
import { usePhone } from '../lib/use-media.ts';
import { useT } from '../lib/use-t.ts';
import type { Translate } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import type { BoundAction } from './bulk-bar.tsx';
import { CardList } from './card-list.tsx';
import type { BulkAction, DataTableProps } from './data-table-types.ts';
import { Failure } from './failure.tsx';
import { RowGrid } from './row-grid.tsx';
import { TableFooter } from './table-footer.tsx';

// Most visits select nothing.
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }));

/** The selected ids and how they change; Shift selects the range since the last change. */
const useSelection = () => {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [anchor, setAnchor] = useState<number>();
  const toggle = (id: number, shownIds: readonly number[], range: boolean): void => {
    const on = !selected.has(id);
    const from = range && anchor !== undefined ? shownIds.indexOf(anchor) : shownIds.indexOf(id);
    const to = shownIds.indexOf(id);
    const next = new Set(selected);
    for (const each of shownIds.slice(Math.min(from, to), Math.max(from, to) + 1))
      if (on) next.add(each);
      else next.delete(each);
    setSelected(next);
    setAnchor(id);
  };
  return { selected, setSelected, toggle };
};

/** The list of the console: order, pages, columns and selection of rows that arrive page by page. */
export const DataTable = <Row extends { readonly id: number }>(props: DataTableProps<Row>) => {
  const { list, columns, search, keep } = props;
  const t = useT();
  const phone = usePhone();
  const selection = useSelection();
  const size = search.size ?? props.usualSize ?? pageSize;
  const page = search.p ?? 1;
  const rows = useMemo(() => {
    const kept = keep ? list.rows.filter(keep) : list.rows;
    return sortRows(kept, search.sort, (id) => columns.find((column) => column.id === id)?.sortBy);
  }, [list.rows, keep, search.sort, columns]);
  const shown = useMemo(() => rows.slice((page - 1) * size, page * size), [rows, page, size]);
  const hidden = readColumns(props.name, search.hide);
  const visible = useMemo(() => shownColumns(columns, hidden), [columns, hidden]);

  if (list.error && list.rows.length === 0) return <Failure error={list.error} onRetry={list.refetch} />;
  const waiting = list.loading && shown.length === 0;
  const settled = !waiting && shown.length === 0 && !list.fetching;
  const chosen = rows.filter((row) => selection.selected.has(row.id));
  return (
    <div className="flex flex-col">
      <PartlyLoaded {...props} sorted={search.sort !== undefined} />
      <div className="relative overflow-hidden rounded-card border border-line bg-panel">
        {list.fetching && !waiting && <Progress />}
        {settled ? (
          list.rows.length === 0 && !search.q ? (
            props.empty
          ) : (
            props.noMatch
          )
        ) : phone ? (
          <CardList {...props} rows={shown} columns={visible} waiting={waiting} />
        ) : (
          <RowGrid {...props} rows={shown} columns={visible} waiting={waiting} selection={selection} />
        )}
      </div>
      <TableFooter {...props} page={page} size={size} shown={shown.length} total={rows.length} />
      {chosen.length > 0 && (
        <Suspense>
          <BulkBar
            chosen={chosen.map((row) => ({ id: row.id, name: props.nameOf(row) }))}
            actions={bindActions(props.bulk ?? [], chosen, t)}
            onExport={() =>
              void import('./export-rows.ts').then(({ exportRows }) => exportRows(props.name, visible, chosen))
            }
            onSelect={selection.setSelected}
          />
        </Suspense>
      )}
    </div>
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

/** A thin line while rows on screen are fetched anew. */
const Progress = () => (
  <div className="absolute inset-x-0 top-0 z-10 h-0.5 overflow-hidden" aria-hidden="true">
    <div className="h-full w-1/4 animate-progress bg-brand" />
  </div>
);

type PartlyLoadedProps<Row extends { readonly id: number }> = DataTableProps<Row> & { readonly sorted: boolean };

/** Says so when order or view cover only what has been loaded. */
const PartlyLoaded = <Row extends { readonly id: number }>({
  list,
  sorted,
  keep,
  onLoadAll,
}: PartlyLoadedProps<Row>) => {
  const t = useT();
  if (list.complete || list.loading || !(sorted || keep)) return null;
  const count = list.rows.length;
  return (
    <p role="status" className="pb-2 text-13 text-mute">
      {t(sorted ? m.sorted_within : m.filtered_within, { count })}{' '}
      {onLoadAll && (
        <button type="button" className="font-medium text-brand underline underline-offset-2" onClick={onLoadAll}>
          {t(m.load_all)}
        </button>
      )}
    </p>
  );
};
