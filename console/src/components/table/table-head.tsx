import { nextSort } from '../../lib/lists/sort-rows.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Checkbox } from '../form/checkbox.tsx';
import type { Column, ListSelection } from './data-table-types.ts';
import { SortButton } from './sort-button.tsx';

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
        <th scope="col" className="w-px pr-2">
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

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

const directionOf = (id: string, sort: string | undefined): 'ascending' | 'descending' | undefined => {
  if (sort === id) return 'ascending';
  return sort === `-${id}` ? 'descending' : undefined;
};

const HeadCell = <Row,>({ column, sort, onSort }: HeadCellProps<Row>) => {
  const t = useT();
  const direction = directionOf(column.id, sort);
  return (
    <th
      scope="col"
      aria-sort={direction}
      className={`px-3 font-medium whitespace-nowrap ${column.end ? 'text-right' : ''} ${column.className ?? ''}`}
    >
      {column.sortBy ? (
        <SortButton
          end={column.end}
          direction={direction}
          onPress={() => onSort(nextSort(sort, column.id, column.end))}
        >
          {t(column.title)}
        </SortButton>
      ) : (
        t(column.title)
      )}
    </th>
  );
};
