import { sortDirection } from '../../lib/lists/sort-rows.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Checkbox } from '../form/checkbox.tsx';
import { ColumnTitle, type ColumnTitleProps } from './column-title.tsx';
import type { Column, ListSelection } from './data-table-types.ts';

interface TableHeadProps<Row extends { readonly id: number }> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  /** Absent: rows cannot be selected. */
  readonly selection: ListSelection | undefined;
}

export const TableHead = <Row extends { readonly id: number }>(props: TableHeadProps<Row>) => {
  const { rows, columns, sort, onSort, selection } = props;
  const t = useT();
  return (
    <thead>
      <tr className="h-9 border-b border-line text-12 text-mute">
        {selection && (
          <th scope="col" className="w-px pl-3">
            <SelectShown ids={rows.map(({ id }) => id)} selection={selection} />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
        <th scope="col" className="sticky right-0 w-px bg-panel pr-2">
          <span className="sr-only">{t(m.actions)}</span>
        </th>
      </tr>
    </thead>
  );
};

const SelectShown = ({ ids, selection }: { readonly ids: readonly number[]; readonly selection: ListSelection }) => {
  const t = useT();
  const all = ids.length > 0 && ids.every((id) => selection.selected.has(id));
  const some = ids.some((id) => selection.selected.has(id));
  return (
    <Checkbox
      label={t(m.select_shown)}
      hideLabel
      checked={all}
      mixed={some && !all}
      onChange={() => selection.setSelected(new Set(all ? [] : [...selection.selected, ...ids]))}
    />
  );
};

const HeadCell = <Row,>({ column, sort, onSort }: ColumnTitleProps<Row>) => (
  <th
    scope="col"
    aria-sort={sortDirection(column.id, sort)}
    className={`px-3 font-medium whitespace-nowrap ${column.end ? 'text-right' : ''} ${column.className ?? ''}`}
  >
    <ColumnTitle column={column} sort={sort} onSort={onSort} />
  </th>
);
