import { memo, useLayoutEffect, useRef } from 'react';
import type { MouseEvent, RefObject } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Checkbox } from '../form/checkbox.tsx';
import type { Column, DataTableProps } from './data-table-types.ts';
import { openMenu, warmOverlays } from '../overlay/overlays.ts';
import { RowMenuButton } from './row-menu-button.tsx';

/** Callbacks of the rows behind a stable reference, so that a row renders only when its data changed. */
export interface RowHandlers<Row extends { readonly id: number }> extends Pick<
  DataTableProps<Row>,
  'nameOf' | 'entriesOf' | 'renderQuick' | 'onOpen'
> {
  readonly toggle: (id: number, range: boolean) => void;
}

interface GridRowProps<Row extends { readonly id: number }> {
  readonly row: Row;
  readonly index: number;
  readonly active: boolean;
  readonly selectable: boolean;
  readonly selected: boolean;
  readonly columns: readonly Column<Row>[];
  readonly height: string;
  readonly look: string;
  readonly handlers: RefObject<RowHandlers<Row>>;
  readonly onActive: (index: number) => void;
}

const controls = 'a,button,input,select,time';
const interactive = `${controls},label`;
/** Amounts show details on focus. */
const stops = `${controls},[data-tip-quota]`;

/** Only the active row's controls are tab stops: the table is one stop, the row's actions are the next ones. */
const useRowTabStops = (active: boolean) => {
  const element = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    const found = element.current?.querySelectorAll<HTMLElement>(stops) ?? [];
    for (const control of found) control.tabIndex = active ? 0 : -1;
  });
  return element;
};

const PlainRow = <Row extends { readonly id: number }>(props: GridRowProps<Row>) => {
  const { row, index, active, selected, columns, height, look, handlers, onActive } = props;
  const t = useT();
  const element = useRowTabStops(active);
  const name = handlers.current.nameOf(row);
  const open = ({ target }: MouseEvent<HTMLTableRowElement>): void => {
    const onControl = target instanceof Element && target.closest(interactive) !== null;
    if (!onControl && !getSelection()?.toString()) handlers.current.onOpen(row);
  };
  const openMenuHere = (event: MouseEvent<HTMLTableRowElement>): void => {
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    const entries = handlers.current.entriesOf(row);
    void openMenu(event.currentTarget, { label: t(m.actions_of, { name }), entries, at });
  };
  return (
    <tr
      ref={element}
      tabIndex={active ? 0 : -1}
      onFocus={() => onActive(index)}
      onClick={open}
      onContextMenu={openMenuHere}
      onPointerEnter={warmOverlays}
      className={`group cursor-pointer border-b border-line -outline-offset-2 last:border-b-0 focus-within:bg-raised hover:bg-raised ${height} ${selected ? 'bg-raised' : ''} ${look}`}
    >
      {props.selectable && (
        <td className="w-px pl-3">
          <Checkbox
            label={t(m.select_named, { name })}
            hideLabel
            checked={selected}
            // A change event does not contain the state of Shift.
            onClick={({ shiftKey }) => handlers.current.toggle(row.id, shiftKey)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={`px-3 ${column.end ? 'text-right tabular-nums' : ''} ${column.className ?? ''}`}>
          {column.render(row)}
        </td>
      ))}
      <td
        className={`sticky right-0 w-px pr-2 whitespace-nowrap group-focus-within:bg-raised group-hover:bg-raised ${selected ? 'bg-raised' : 'bg-panel'}`}
      >
        <RowActions {...props} name={name} />
      </td>
    </tr>
  );
};

/** The most common actions on hover, on focus and always on touch screens; the menu has all of them. */
const RowActions = <Row extends { readonly id: number }>({
  row,
  handlers,
  name,
}: GridRowProps<Row> & { readonly name: string }) => (
  <span className="flex items-center justify-end">
    {handlers.current.renderQuick && (
      <span className="flex opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
        {handlers.current.renderQuick(row)}
      </span>
    )}
    <RowMenuButton name={name} entries={() => handlers.current.entriesOf(row)} />
  </span>
);

// oxlint-disable-next-line typescript/consistent-type-assertions -- memo() forgets the type parameter of PlainRow
export const GridRow = memo(PlainRow) as typeof PlainRow;
