import { quotaText } from '../../lib/api/status.ts';
import { formatTime } from '../../lib/format/format.ts';
import { m } from '../../paraglide/messages.js';
import { Money } from '../text/money.tsx';
import { Time } from '../text/time.tsx';
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

interface NumberColumn<Row> extends Omit<Column<Row>, 'render' | 'raw'>, Partial<Pick<Column<Row>, 'render'>> {
  readonly raw: readonly [name: string, value: (row: Row) => number];
}

/** Amounts of quota. */
export const moneyColumn = <Row,>({ raw, ...look }: NumberColumn<Row>): Column<Row> => {
  const [, quotaOf] = raw;
  return {
    end: true,
    render: (row) => <Money quota={quotaOf(row)} />,
    sortBy: quotaOf,
    text: (row) => quotaText(quotaOf(row)),
    raw,
    ...look,
  };
};

/** Times in Unix seconds; 0: none yet. */
export const timeColumn = <Row,>({ raw, ...look }: NumberColumn<Row>): Column<Row> => {
  const [, timeOf] = raw;
  return {
    render: (row) => (timeOf(row) === 0 ? '—' : <Time unixSeconds={timeOf(row)} />),
    sortBy: timeOf,
    text: (row) => (timeOf(row) === 0 ? '' : formatTime(timeOf(row))),
    raw,
    ...look,
  };
};

/** When rows were made. */
export const createdColumn = <Row extends { readonly created_time: number }>(
  look: Partial<Column<Row>> = {},
): Column<Row> => ({
  ...timeColumn<Row>({ id: 'created', title: m.column_created, raw: ['created_time', ({ created_time: at }) => at] }),
  ...look,
});
