import { nextSort, sortDirection, type SortDirection } from '../../lib/lists/sort-rows.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { Icon } from '../icon.tsx';
import type { Column } from './data-table-types.ts';

export interface ColumnTitleProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

/** The title of a column; it sorts the rows where the column can. */
export const ColumnTitle = <Row,>({ column, sort, onSort }: ColumnTitleProps<Row>) => {
  const t = useT();
  const { id, title, end, sortBy } = column;
  if (!sortBy) return t(title);
  const direction = sortDirection(id, sort);
  return (
    <button
      type="button"
      className={`group/sort -mx-1 inline-flex min-h-6 items-center gap-1 rounded-control px-1 hover:text-ink ${end ? 'flex-row-reverse' : ''} ${direction ? 'text-ink' : ''}`}
      onClick={() => onSort(nextSort(sort, id, end))}
    >
      {t(title)}
      <SortMark direction={direction} />
    </button>
  );
};

const SortMark = ({ direction }: { readonly direction: SortDirection | undefined }) =>
  direction === undefined ? (
    <Icon
      name="up-down"
      className="size-3.5 opacity-0 group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100"
    />
  ) : (
    <Icon name={direction === 'ascending' ? 'arrow-up' : 'arrow-down'} className="size-3.5" />
  );
