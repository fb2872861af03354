type Key = string | number;

/** Sorts a copy; ties keep the server's order. `sort` is a column id, with `-` in front for descending. */
export const sortRows = <Row>(
  rows: readonly Row[],
  sort: string | undefined,
  keyOf: (columnId: string) => ((row: Row) => Key) | undefined,
): readonly Row[] => {
  if (sort === undefined) return rows;
  const descending = sort.startsWith('-');
  const key = keyOf(descending ? sort.slice(1) : sort);
  if (key === undefined) return rows;
  const direction = descending ? -1 : 1;
  return [...rows].sort((a, b) => direction * compare(key(a), key(b)));
};

const compare = (a: Key, b: Key): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), undefined, { numeric: true });

export type SortDirection = 'ascending' | 'descending';

/** How a column sorts the rows; undefined: it does not. */
export const sortDirection = (column: string, sort: string | undefined): SortDirection | undefined => {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : undefined;
};

/**
 * The next sort order after a click on a header: ascending, descending, then the server's order. Amounts begin with the
 * largest.
 */
export const nextSort = (sort: string | undefined, columnId: string, amount = false): string | undefined => {
  const orders = amount ? [`-${columnId}`, columnId] : [columnId, `-${columnId}`];
  return orders[sort === undefined ? 0 : orders.indexOf(sort) + 1];
};
