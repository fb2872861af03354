import { memo } from 'react';
import type { MouseEvent, RefObject } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { Column } from './data-table-types.ts';
import { openMenu, warmOverlays } from '../overlay/overlays.ts';
import type { MenuOffer } from '../overlay/overlays.ts';
import { RowMenuButton } from './row-menu-button.tsx';

/** Callbacks of the rows behind a stable reference, so that a row renders only when its data changed. */
export interface LongRowHandlers<Row> {
  readonly nameOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  readonly onCopy: (row: Row) => void;
  /** Called with the column of the cell under the pointer. */
  readonly entriesOf: (row: Row, column?: string) => MenuOffer['entries'];
}

interface LongRowProps<Row extends { readonly id: number }> {
  readonly index: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly row: Row | undefined;
  readonly active: boolean;
  readonly columns: readonly Column<Row>[];
  readonly tracks: string;
  readonly look: string;
  readonly handlers: RefObject<LongRowHandlers<Row>>;
  readonly onActive: (index: number) => void;
}

const interactive = 'a,button,input,select,label,time';
// Each row has its own layout and keeps its position while the list scrolls: a frame renders only the new rows.
const line = 'group absolute inset-x-0 grid h-8 items-center border-b border-line contain-strict';

const PlainRow = <Row extends { readonly id: number }>(props: LongRowProps<Row>) => {
  const { index, top, row, active, columns, tracks, look, handlers, onActive } = props;
  const t = useT();
  if (row === undefined) return <Waiting {...props} />;
  const open = ({ target }: MouseEvent<HTMLDivElement>): void => {
    const onControl = target instanceof Element && target.closest(interactive) !== null;
    if (!onControl && !getSelection()?.toString()) handlers.current.onOpen(row);
  };
  const name = handlers.current.nameOf(row);
  const openMenuHere = (event: MouseEvent<HTMLDivElement>): void => {
    event.preventDefault();
    const cell = event.target instanceof Element ? event.target.closest('[role=gridcell]') : null;
    const column = cell === null ? -1 : [...event.currentTarget.children].indexOf(cell);
    const entries = handlers.current.entriesOf(row, columns[column]?.id);
    const at = { x: event.clientX, y: event.clientY };
    void openMenu(event.currentTarget, { label: t(m.actions_of, { name }), entries, at });
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      tabIndex={active ? 0 : -1}
      style={{ top, gridTemplateColumns: tracks }}
      className={`${line} cursor-pointer -outline-offset-2 focus-within:bg-raised hover:bg-raised ${look}`}
      onFocus={() => onActive(index)}
      onClick={open}
      onContextMenu={openMenuHere}
      onPointerEnter={warmOverlays}
    >
      {columns.map((column) => (
        <span
          key={column.id}
          role="gridcell"
          className={`min-w-0 px-2 whitespace-nowrap first:pl-3 ${column.end ? 'text-right tabular-nums' : ''}`}
        >
          {column.render(row)}
        </span>
      ))}
      <span role="gridcell" className="justify-self-end pr-1 [&_button]:size-7!">
        <RowMenuButton name={name} stop={active} entries={() => handlers.current.entriesOf(row)} />
      </span>
    </div>
  );
};

/** A row whose data is not loaded yet. */
const Waiting = <Row extends { readonly id: number }>({ index, top, columns, tracks }: LongRowProps<Row>) => (
  <div role="row" aria-rowindex={index + 2} className={line} style={{ top, gridTemplateColumns: tracks }}>
    {columns.map((column) => (
      <span key={column.id} role="gridcell" className="px-2 first:pl-3">
        <span className="block h-3 w-3/5 rounded-full bg-raised" />
      </span>
    ))}
    <span role="gridcell" />
  </div>
);

// oxlint-disable-next-line typescript/consistent-type-assertions -- memo() forgets the type parameter of PlainRow
export const LongRow = memo(PlainRow) as typeof PlainRow;
