import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { orderedColumns, readColumns, shownColumns } from '../../lib/lists/column-choice.ts';
import type { ReadAllCallbacks } from '../../lib/api/read-all.ts';
import { sortRows } from '../../lib/lists/sort-rows.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { ColumnsButton } from './columns-button.tsx';
import type { Column, DataTableProps } from '../table/data-table-types.ts';
import { IconButton } from '../icon-button.tsx';
import { menuTrigger } from '../overlay/overlays.ts';
import type { MenuEntry } from '../overlay/overlays.ts';
import { ViewsButton } from './views-button.tsx';

// Most visits export nothing.
const ExportAll = lazy(async () => ({ default: (await import('./export-all.tsx')).ExportAll }));

type ExportProps<Row extends { readonly id: number }> = Pick<
  DataTableProps<Row>,
  'name' | 'columns' | 'list' | 'search' | 'keep'
>;

interface ListToolsProps<Row extends { readonly id: number }>
  extends ExportProps<Row>, Pick<DataTableProps<Row>, 'patch' | 'dense'> {
  /** An export by the server, in place of the one of the loaded rows. */
  readonly exporter?: ReactNode;
}

/** Saved views, export, columns and density. */
export const ListTools = <Row extends { readonly id: number }>(props: ListToolsProps<Row>) => {
  const { name, columns, search, patch, dense = false, exporter } = props;
  return (
    <div className="flex items-center">
      <ViewsButton list={name} />
      {exporter ?? <ExportButton {...props} />}
      <ColumnsButton
        name={name}
        columns={columns}
        hide={search.hide}
        onHide={(hide) => patch({ hide })}
        dense={dense}
      />
    </div>
  );
};

/** Exports the loaded rows, or all that match search and view; with the visible columns. */
const ExportButton = <Row extends { readonly id: number }>({ name, columns, list, search, keep }: ExportProps<Row>) => {
  const t = useT();
  const [reading, setReading] = useState(false);
  const save = async (rows: readonly Row[]): Promise<void> => {
    const shown: readonly Column<Row>[] = shownColumns(orderedColumns(name, columns), readColumns(name, search.hide));
    const kept = keep ? rows.filter(keep) : rows;
    const sorted = sortRows(kept, search.sort, (id) => columns.find((column) => column.id === id)?.sortBy);
    (await import('./export-rows.ts')).exportRows(name, shown, sorted);
  };
  const saveAll = async (callbacks: ReadAllCallbacks): Promise<void> => {
    const { readAll } = await import('../../lib/api/read-all.ts');
    const rows = list.source && (await readAll({ source: list.source, ...callbacks }));
    if (rows) await save(rows);
  };
  const entries = (): MenuEntry[] => [
    {
      kind: 'action',
      icon: 'download',
      text: t(m.export_loaded, { count: list.rows.length }),
      run: () => void save(list.rows),
    },
    { kind: 'action', icon: 'file', text: t(m.export_all), run: () => setReading(true) },
  ];
  const label = t(m.export_csv);
  return (
    <>
      <IconButton
        icon="download"
        label={label}
        disabled={list.rows.length === 0}
        {...(list.source && !list.complete
          ? menuTrigger(() => ({ label, entries: entries() }))
          : { onClick: () => void save(list.rows) })}
      />
      {reading && (
        <Suspense>
          <ExportAll run={saveAll} onEnd={() => setReading(false)} />
        </Suspense>
      )}
    </>
  );
};
