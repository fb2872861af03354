import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject, UIEvent } from 'react';
import { useLatest } from '../../lib/hooks/use-latest.ts';
import { sortDirection } from '../../lib/lists/sort-rows.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { ColumnTitle, type ColumnTitleProps } from './column-title.tsx';
import type { Column } from './data-table-types.ts';
import { LongRow } from './long-row.tsx';
import type { LongRowHandlers } from './long-row.tsx';
import { createScroll, rowPx, windowOf } from './long-scroll.ts';
import { openMenu } from '../overlay/overlays.ts';
import { keyAction } from './row-keys.ts';

export interface LongGridProps<Row extends { readonly id: number }> extends LongRowHandlers<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly total: number;
  /** False: there are more rows than `total`, the number is unknown. */
  readonly exact: boolean;
  /** Undefined: loading. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Called with the range of rows on screen. */
  readonly onShow: (first: number, count: number) => void;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly rowClass: (row: Row) => string;
  /** The row at the top when the grid appears, and after each change of this value. */
  readonly start: { readonly row: number };
  readonly busy: boolean;
}

const usualTrack = 'minmax(5rem,1fr)';
const menuRem = 2.5;
const gutterRem = 1;

const tracksOf = <Row,>(columns: readonly Column<Row>[]): string =>
  `${columns.map(({ track }) => track ?? usualTrack).join(' ')} ${menuRem}rem`;

/** The minimum width of the columns: head and rows are equally wide, so that they scroll sideways together. */
const leastWidth = <Row,>(columns: readonly Column<Row>[]): string => {
  const least = columns.map(({ track = usualTrack }) => Number(/[\d.]+/.exec(track)?.[0] ?? 0));
  return `${least.reduce((sum, rem) => sum + rem, menuRem + gutterRem)}rem`;
};

/** Keeps the window of rows on screen in sync with the scroll bar. */
const useWindow = <Row extends { readonly id: number }>({ total, start, onShow }: LongGridProps<Row>) => {
  const port = useRef<HTMLDivElement>(null);
  // Reading it from the page in a frame that rendered rows would force a layout.
  const viewPx = useRef(0);
  const [scroll] = useState(createScroll);
  const [shown, setShown] = useState({ first: 0, count: 0, origin: 0 });
  const update = useLatest((): void => {
    scroll.resize({ total, viewPx: viewPx.current });
    const next = { ...windowOf(scroll.offset(), viewPx.current, total), origin: scroll.topOf(0) };
    if (next.first !== shown.first || next.count !== shown.count || next.origin !== shown.origin) setShown(next);
    onShow(Math.floor(scroll.offset() / rowPx), Math.ceil(viewPx.current / rowPx));
  });
  const measure = (): void => {
    viewPx.current = port.current?.clientHeight ?? 0;
  };
  const goTo = (row: number): void => {
    if (port.current === null) return;
    scroll.resize({ total, viewPx: viewPx.current });
    port.current.scrollTop = scroll.goTo(row * rowPx);
    update.current();
  };
  const reveal = (row: number): void => {
    const top = scroll.offset() / rowPx;
    const fits = Math.floor(viewPx.current / rowPx) - 1;
    if (row < top) goTo(row);
    else if (row >= top + fits) goTo(row - fits + 1);
  };
  useLayoutEffect(measure, []);
  useLayoutEffect(() => update.current(), [total, update]);
  const restart = useLatest(goTo);
  useLayoutEffect(() => restart.current(start.row), [start, restart]);
  useEffect(() => {
    const watcher = new ResizeObserver(() => {
      measure();
      update.current();
    });
    if (port.current) watcher.observe(port.current);
    return () => watcher.disconnect();
  }, [update]);
  const onScroll = ({ currentTarget }: UIEvent<HTMLDivElement>): void => {
    scroll.moveTo(currentTarget.scrollTop);
    update.current();
  };
  return { port, shown, spacerPx: scroll.spacerPx(total), onScroll, reveal };
};

interface RowFocus {
  readonly current: number;
  readonly setActive: (index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLDivElement>) => void;
}

/** The active row: which one is the tab stop, and how keys move it. */
const useRowFocus = <Row extends { readonly id: number }>(
  props: LongGridProps<Row>,
  port: RefObject<HTMLDivElement | null>,
  reveal: (row: number) => void,
): RowFocus => {
  const { total, rowAt } = props;
  const t = useT();
  const [active, setActive] = useState(0);
  const current = Math.max(0, Math.min(active, total - 1));
  const moving = useRef(false);
  useLayoutEffect(() => {
    const row = moving.current && port.current?.querySelector<HTMLElement>(`[aria-rowindex="${current + 2}"]`);
    if (!row) return;
    moving.current = false;
    row.focus({ preventScroll: true });
  });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (!(event.target instanceof HTMLElement) || event.target.role !== 'row') return;
    const action = keyAction(event, current, total);
    if (action === undefined) return;
    event.preventDefault();
    if (action.kind === 'move') {
      moving.current = true;
      setActive(action.to);
      reveal(action.to);
      return;
    }
    const row = rowAt(current);
    if (row === undefined) return;
    if (action.kind === 'open') props.onOpen(row);
    if (action.kind === 'copy') props.onCopy(row);
    if (action.kind === 'menu') {
      const label = t(m.actions_of, { name: props.nameOf(row) });
      void openMenu(event.target, { label, entries: props.entriesOf(row) });
    }
  };
  return { current, setActive, onKeyDown };
};

/** A list of any length: only the rows on screen are rendered and requested. */
export const LongGrid = <Row extends { readonly id: number }>(props: LongGridProps<Row>) => {
  const { columns, total, exact, rowAt } = props;
  const { port, shown, spacerPx, onScroll, reveal } = useWindow(props);
  const { current, setActive, onKeyDown } = useRowFocus(props, port, reveal);
  const handlers = useLatest<LongRowHandlers<Row>>(props);
  const tracks = tracksOf(columns);
  const minWidth = leastWidth(columns);
  return (
    <div
      role="grid"
      aria-label={props.label}
      aria-rowcount={exact ? total + 1 : -1}
      aria-colcount={columns.length + 1}
      aria-busy={props.busy}
      // Positioned, so that the hidden texts in it scroll with it and do not widen the page.
      className="relative flex flex-col overflow-x-auto text-13"
    >
      <Head columns={columns} tracks={tracks} minWidth={minWidth} sort={props.sort} onSort={props.onSort} />
      <div
        ref={port}
        role="rowgroup"
        tabIndex={-1}
        // Whole rows, as many as fit into the window beside the rest of the page.
        className="relative max-h-[max(20rem,round(down,100dvh-27rem,2rem))] overflow-y-auto outline-none [scrollbar-gutter:stable]"
        style={{ minWidth, height: spacerPx }}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: spacerPx }}>
          {Array.from({ length: shown.count }, (_, offset) => shown.first + offset).map((index) => (
            <LongRow
              key={index}
              index={index}
              top={shown.origin + index * rowPx}
              row={rowAt(index)}
              active={index === current}
              columns={columns}
              tracks={tracks}
              look={lookOf(props, index)}
              handlers={handlers}
              onActive={setActive}
            />
          ))}
        </div>
      </div>
    </div>
  );
};

type HeadProps<Row extends { readonly id: number }> = Pick<LongGridProps<Row>, 'columns' | 'sort' | 'onSort'> & {
  readonly tracks: string;
  readonly minWidth: string;
};

const Head = <Row extends { readonly id: number }>({ columns, tracks, minWidth, sort, onSort }: HeadProps<Row>) => {
  const t = useT();
  return (
    <div
      role="rowgroup"
      className="shrink-0 overflow-hidden border-b border-line [scrollbar-gutter:stable]"
      style={{ minWidth }}
    >
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-9 items-center text-12 text-mute"
        style={{ gridTemplateColumns: tracks }}
      >
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
        <span role="columnheader">
          <span className="sr-only">{t(m.actions)}</span>
        </span>
      </div>
    </div>
  );
};

const lookOf = <Row extends { readonly id: number }>(
  { rowAt, rowClass }: LongGridProps<Row>,
  index: number,
): string => {
  const row = rowAt(index);
  return row === undefined ? '' : rowClass(row);
};

// The arrow of a sortable head is in the gap between columns, so that it takes no width.
const headClass = '[&_button]:relative [&_svg]:absolute';

const HeadCell = <Row,>({ column, sort, onSort }: ColumnTitleProps<Row>) => (
  <span
    role="columnheader"
    aria-sort={sortDirection(column.id, sort)}
    className={`px-2 font-medium whitespace-nowrap first:pl-3 ${headClass} ${column.end ? 'text-right [&_svg]:right-full' : '[&_svg]:left-full'}`}
  >
    <ColumnTitle column={column} sort={sort} onSort={onSort} />
  </span>
);
