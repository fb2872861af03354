import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { density } from '../../lib/browser/density.ts';
import { useStore } from '../../lib/store.ts';
import { useLatest } from '../../lib/hooks/use-latest.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { Column, DataTableProps, ListSelection } from './data-table-types.ts';
import { GridRow } from './grid-row.tsx';
import { openMenu } from '../overlay/overlays.ts';
import { keyAction } from './row-keys.ts';
import { Skeleton } from '../skeleton.tsx';
import { TableHead } from './table-head.tsx';
import { useOverhang } from './use-overhang.ts';

interface RowGridProps<Row extends { readonly id: number }> extends DataTableProps<Row> {
  readonly rows: readonly Row[];
  readonly waiting: boolean;
  readonly selection: ListSelection;
}

// The arrow of a sortable header is in the gap between columns, so that it takes no width.
const arrowClass =
  '[&_th_button]:relative [&_th_svg]:absolute [&_th_svg]:left-full [&_th.text-right_svg]:right-full [&_th.text-right_svg]:left-auto';
const denseClass = 'text-13 [&_td]:px-2 [&_th]:px-2 [&_td:first-child]:pl-3 [&_th:first-child]:pl-3';

/** The active row: which one is the tab stop, and how keys move it. */
const useRowKeys = <Row extends { readonly id: number }>(props: RowGridProps<Row>) => {
  const { rows, selection } = props;
  const t = useT();
  const [active, setActive] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const current = Math.min(active, rows.length - 1);
  const moveTo = (index: number): void => {
    setActive(index);
    const element = body.current?.rows[index];
    element?.focus();
    element?.scrollIntoView({ block: 'nearest' });
  };
  const openRowMenu = (row: Row, element: HTMLElement): void => {
    const label = t(m.actions_of, { name: props.nameOf(row) });
    void openMenu(element, { label, entries: props.entriesOf(row) });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    const row = rows[current];
    const element = body.current?.rows[current];
    if (row === undefined || element === undefined || event.target !== element) return;
    const action = keyAction(event, current, rows.length);
    if (action === undefined) return;
    event.preventDefault();
    if (action.kind === 'move') moveTo(action.to);
    if (action.kind === 'select' && props.bulk) selection.toggle(row.id, event.shiftKey);
    if (action.kind === 'open') props.onOpen(row);
    if (action.kind === 'copy') props.onCopy?.(row);
    if (action.kind === 'menu') openRowMenu(row, element);
  };
  return { current, setActive, body, onKeyDown };
};

/** The rows as a table: one tab stop, arrow keys move by a row, every action in the row's menu. */
export const RowGrid = <Row extends { readonly id: number }>(props: RowGridProps<Row>) => {
  const { rows, columns, waiting, selection } = props;
  const { current, setActive, body, onKeyDown } = useRowKeys(props);
  const { frame, onScroll } = useOverhang();
  const chosenHeight = useStore(density) === 'compact' ? 'h-9' : 'h-12';
  const height = props.dense ? 'h-8' : chosenHeight;
  const handlers = useLatest({ ...props, toggle: selection.toggle });
  const selectable = props.bulk !== undefined;
  return (
    <div ref={frame} className="overflow-x-auto" onScroll={onScroll}>
      <table
        className={`w-full border-collapse text-left ${arrowClass} ${props.dense ? denseClass : ''}`}
        aria-busy={waiting}
      >
        <caption className="sr-only">{props.label}</caption>
        <TableHead
          rows={rows}
          columns={columns}
          sort={props.search.sort}
          onSort={(sort) => props.patch({ sort })}
          selection={selectable ? selection : undefined}
        />
        <tbody ref={body} onKeyDown={onKeyDown}>
          {waiting && <SkeletonRows columns={columns} selectable={selectable} height={height} />}
          {rows.map((row, index) => (
            <GridRow
              key={row.id}
              row={row}
              index={index}
              active={index === current}
              selectable={selectable}
              selected={selection.selected.has(row.id)}
              columns={columns}
              height={height}
              look={props.rowClass?.(row) ?? ''}
              handlers={handlers}
              onActive={setActive}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface SkeletonRowsProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly selectable: boolean;
  readonly height: string;
}

const skeletonRows = [0, 1, 2, 3, 4];

const SkeletonRows = <Row,>({ columns, selectable, height }: SkeletonRowsProps<Row>) =>
  skeletonRows.map((index) => (
    <tr key={index} className={`border-b border-line last:border-b-0 ${height}`}>
      {selectable && (
        <td className="w-px pl-3">
          <Skeleton className="w-4" />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={`px-3 ${column.end ? 'text-right' : ''} ${column.className ?? ''}`}>
          <Skeleton className="w-3/5 min-w-12" />
        </td>
      ))}
      <td className="w-px pr-2">
        <span className="inline-block size-8" />
      </td>
    </tr>
  ));
