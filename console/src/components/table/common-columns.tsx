import { m } from '../../paraglide/messages.js';
import type { Column } from './data-table-types.ts';

/** The IDs of rows. */
export const idColumn = <Row extends { readonly id: number }>(look: Partial<Column<Row>> = {}): Column<Row> => ({
  id: 'id',
  title: m.column_id,
  end: true,
  render: ({ id }) => <span className="text-mute tabular-nums">{id}</span>,
  sortBy: ({ id }) => id,
  text: ({ id }) => id,
  ...look,
});

interface TextColumn<Row> extends Omit<Column<Row>, 'render' | 'sortBy' | 'text'> {
  readonly textOf: (row: Row) => string;
  /** It names the row. */
  readonly strong?: true;
}

/** A text that may be long: it is cut, and whole in its tip. */
export const textColumn = <Row,>({ textOf, strong, ...look }: TextColumn<Row>): Column<Row> => ({
  className: 'max-w-40',
  render: (row) => (
    <span className={`block truncate ${strong ? 'font-medium' : ''}`} title={textOf(row)}>
      {textOf(row) || '—'}
    </span>
  ),
  sortBy: textOf,
  text: textOf,
  ...look,
});
