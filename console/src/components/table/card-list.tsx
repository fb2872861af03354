import type { ReactNode } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Column, DataTableProps } from './data-table-types.ts';
import { RowMenuButton } from './row-menu-button.tsx';
import { Skeleton } from '../skeleton.tsx';

interface CardListProps<Row extends { readonly id: number }> extends DataTableProps<Row> {
  readonly rows: readonly Row[];
  readonly waiting: boolean;
}

// Enough to fill a phone's screen: the content below must not move when the rows arrive.
const skeletonCards = [0, 1, 2, 3, 4, 5, 6, 7];
const valuesShown = 3;

/** The rows on a phone: name and state on the first line, the most useful values below, each with its label. */
export const CardList = <Row extends { readonly id: number }>(props: CardListProps<Row>) =>
  props.waiting ? (
    <div aria-busy="true">
      {skeletonCards.map((index) => (
        <SkeletonCard key={index} />
      ))}
    </div>
  ) : (
    <ul aria-label={props.label}>
      {props.rows.map((row) =>
        props.card ? (
          <OwnCard key={row.id} {...props} row={row} content={props.card(row)} />
        ) : (
          <Card key={row.id} {...props} row={row} />
        ),
      )}
    </ul>
  );

type CardProps<Row extends { readonly id: number }> = CardListProps<Row> & { readonly row: Row };

/** A card that the list renders; the whole card is clickable. */
const OwnCard = <Row extends { readonly id: number }>({
  row,
  content,
  nameOf,
  onOpen,
  entriesOf,
}: CardProps<Row> & { readonly content: ReactNode }) => (
  <li className="flex items-center border-b border-line pr-1 last:border-b-0">
    <button type="button" className="min-w-0 flex-1 py-2 pl-4 text-left" onClick={() => onOpen(row)}>
      {content}
    </button>
    <RowMenuButton name={nameOf(row)} entries={() => entriesOf(row)} />
  </li>
);

const Card = <Row extends { readonly id: number }>({
  row,
  columns,
  nameOf,
  onOpen,
  entriesOf,
  renderQuick,
}: CardProps<Row>) => {
  const t = useT();
  const of = (role: Column<Row>['card']) => columns.filter((column) => column.card === role);
  return (
    <li className="border-b border-line py-2 pr-1 pl-4 last:border-b-0">
      <div className="flex items-center">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <button
            type="button"
            className="min-h-6 min-w-0 text-left font-semibold wrap-anywhere"
            onClick={() => onOpen(row)}
          >
            {of('title').map((column) => (
              <span key={column.id}>{column.render(row)}</span>
            ))}
          </button>
          {of('status').map((column) => (
            <span key={column.id}>{column.render(row)}</span>
          ))}
        </div>
        {renderQuick?.(row)}
        <RowMenuButton name={nameOf(row)} entries={() => entriesOf(row)} />
      </div>
      <dl className="grid auto-cols-fr grid-flow-col gap-x-3 pr-3 [&_*]:whitespace-normal">
        {of('value')
          .slice(0, valuesShown)
          .map((column) => (
            <div key={column.id} className="min-w-0">
              <dt className="text-12 text-mute">{t(column.title)}</dt>
              <dd className="wrap-anywhere">{column.render(row)}</dd>
            </div>
          ))}
      </dl>
      {of('note').map((column) => (
        <div key={column.id} className="pt-1 pr-3 text-13 text-mute wrap-anywhere empty:hidden [&_*]:whitespace-normal">
          {column.render(row)}
        </div>
      ))}
    </li>
  );
};

const SkeletonCard = () => (
  <div className="flex h-28 flex-col gap-4 border-b border-line p-4 last:border-b-0">
    <Skeleton className="w-40" />
    <Skeleton className="w-64" />
  </div>
);
