import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { density } from '../lib/density.ts';
import { nextSort } from '../lib/sort-rows.ts';
import { useStore } from '../lib/store.ts';
import { useLatest } from '../lib/use-latest.ts';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import { Checkbox } from './checkbox.tsx';
import type { Column, DataTableProps } from './data-table-types.ts';
import { Icon } from './icon.tsx';
import { openMenu, warmOverlays } from './overlays.ts';
import { RowMenuButton } from './row-menu-button.tsx';
import { keyAction } from './row-keys.ts';
import { Skeleton } from './skeleton.tsx';

interface Selection {
  readonly selected: ReadonlySet<number>;
  readonly setSelected: (ids: ReadonlySet<number>) => void;
  readonly toggle: (id: number, shownIds: readonly number[], range: boolean) => void;
}

interface RowGridProps<Row extends { readonly id: number }> extends DataTableProps<Row> {
  readonly rows: readonly Row[];
  readonly waiting: boolean;
  readonly selection: Selection;
}

const skeletonRows = [0, 1, 2, 3, 4];
const denseClass = 'text-13 [&_td]:px-2 [&_th]:px-2 [&_td:first-child]:pl-3 [&_th:first-child]:pl-3';
const interactive = 'a,button,input,select,label,time';

/**
 * The rows as a table: one tab stop, a row at a time under the arrow keys, every action in the row's menu.
 */
export const RowGrid = <Row extends { readonly id: number }>(props: RowGridProps<Row>) => {
  const { rows, columns, waiting, selection } = props;
  const t = useT();
  const [active, setActive] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const chosenHeight = useStore(density) === 'compact' ? 'h-9' : 'h-12';
  const height = props.dense ? 'h-8' : chosenHeight;
  const handlers = useLatest({
    ...props,
    toggle: (id: number, range: boolean) =>
      selection.toggle(
        id,
        rows.map((row) => row.id),
        range,
      ),
  });
  const current = Math.min(active, rows.length - 1);

  const moveTo = (place: number): void => {
    setActive(place);
    const element = body.current?.rows[place];
    element?.focus();
    element?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    const row = rows[current];
    const element = body.current?.rows[current];
    if (row === undefined || element === undefined || event.target !== element) return;
    const action = keyAction(event, current, rows.length);
    if (action === undefined) return;
    event.preventDefault();
    if (action.kind === 'move') moveTo(action.to);
    if (action.kind === 'select' && props.bulk)
      selection.toggle(
        row.id,
        rows.map(({ id }) => id),
        event.shiftKey,
      );
    if (action.kind === 'open') props.onOpen(row);
    if (action.kind === 'copy') props.onCopy?.(row);
    if (action.kind === 'menu')
      void openMenu(element, { label: t(m.actions_of, { name: props.nameOf(row) }), entries: props.entriesOf(row) });
  };

  return (
    <div className="overflow-x-auto" tabIndex={-1}>
      <table className={`w-full border-collapse text-left ${props.dense ? denseClass : ''}`} aria-busy={waiting}>
        <caption className="sr-only">{props.label}</caption>
        <Head {...props} />
        <tbody ref={body} onKeyDown={onKeyDown}>
          {waiting
            ? skeletonRows.map((place) => (
                <SkeletonRow key={place} columns={columns} selectable={props.bulk !== undefined} height={height} />
              ))
            : rows.map((row, place) => (
                <GridRow
                  key={row.id}
                  row={row}
                  place={place}
                  active={place === current}
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

const Head = <Row extends { readonly id: number }>({
  rows,
  columns,
  search,
  patch,
  bulk,
  selection,
}: RowGridProps<Row>) => {
  const t = useT();
  const all = rows.length > 0 && rows.every((row) => selection.selected.has(row.id));
  const some = rows.some((row) => selection.selected.has(row.id));
  return (
    <thead>
      <tr className="h-9 border-b border-line text-12 text-mute">
        {bulk && (
          <th scope="col" className="w-px pl-3">
            <Checkbox
              label={t(m.select_shown)}
              hideLabel
              checked={all}
              mixed={some && !all}
              onChange={() =>
                selection.setSelected(new Set(all ? [] : [...selection.selected, ...rows.map(({ id }) => id)]))
              }
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={search.sort} onSort={(sort) => patch({ sort })} />
        ))}
        <th scope="col" className="w-px pr-2">
          <span className="sr-only">{t(m.actions)}</span>
        </th>
      </tr>
    </thead>
  );
};

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

const HeadCell = <Row,>({ column, sort, onSort }: HeadCellProps<Row>) => {
  const t = useT();
  const up = sort === column.id;
  const down = sort === `-${column.id}`;
  const ordered = up || down;
  return (
    <th
      scope="col"
      aria-sort={up ? 'ascending' : down ? 'descending' : undefined}
      className={`px-3 font-medium whitespace-nowrap ${column.end ? 'text-right' : ''} ${column.className ?? ''}`}
    >
      {column.sortBy ? (
        <button
          type="button"
          className={`group/sort -mx-1 inline-flex ${column.end ? 'flex-row-reverse' : ''} min-h-6 items-center gap-1 rounded-control px-1 hover:text-ink ${ordered ? 'text-ink' : ''}`}
          onClick={() => onSort(nextSort(sort, column.id))}
        >
          {t(column.title)}
          <Icon
            name={ordered ? (up ? 'arrow-up' : 'arrow-down') : 'up-down'}
            className={`size-3.5 ${ordered ? '' : 'opacity-0 group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100'}`}
          />
        </button>
      ) : (
        t(column.title)
      )}
    </th>
  );
};

interface GridRowProps<Row extends { readonly id: number }> {
  readonly row: Row;
  readonly place: number;
  readonly active: boolean;
  readonly selected: boolean;
  readonly columns: readonly Column<Row>[];
  readonly height: string;
  readonly look: string;
  readonly handlers: {
    readonly current: DataTableProps<Row> & { readonly toggle: (id: number, range: boolean) => void };
  };
  readonly onActive: (place: number) => void;
}

const PlainRow = <Row extends { readonly id: number }>({
  row,
  place,
  active,
  selected,
  columns,
  height,
  look,
  handlers,
  onActive,
}: GridRowProps<Row>) => {
  const t = useT();
  const element = useRef<HTMLTableRowElement>(null);
  const { bulk, nameOf, entriesOf, quick, onOpen, toggle } = handlers.current;
  const name = nameOf(row);
  // Only the active row's controls are in the tab order: the table is one stop, the row's actions the next ones.
  useLayoutEffect(() => {
    for (const control of element.current?.querySelectorAll<HTMLElement>('a,button,input,select') ?? [])
      control.tabIndex = active ? 0 : -1;
  });
  const onClick = (event: MouseEvent<HTMLTableRowElement>): void => {
    if (event.target instanceof Element && event.target.closest(interactive) === null && !getSelection()?.toString())
      onOpen(row);
  };
  const onContextMenu = (event: MouseEvent<HTMLTableRowElement>): void => {
    event.preventDefault();
    void openMenu(event.currentTarget, {
      label: t(m.actions_of, { name }),
      entries: entriesOf(row),
      at: { x: event.clientX, y: event.clientY },
    });
  };
  return (
    <tr
      ref={element}
      tabIndex={active ? 0 : -1}
      onFocus={() => onActive(place)}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onPointerEnter={warmOverlays}
      className={`group relative cursor-pointer border-b border-line outline-offset-[-2px] last:border-b-0 hover:bg-raised focus-within:bg-raised ${height} ${selected ? 'bg-raised' : ''} ${look}`}
    >
      {bulk && (
        <td className="w-px pl-3">
          <Checkbox
            label={t(m.select_named, { name })}
            hideLabel
            checked={selected}
            onChange={() => undefined}
            onClick={(event) => toggle(row.id, event.shiftKey)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={`px-3 ${column.end ? 'text-right tabular-nums' : ''} ${column.className ?? ''}`}>
          {column.render(row)}
        </td>
      ))}
      <td className="w-px pr-2 whitespace-nowrap">
        <span className="flex items-center justify-end">
          {quick && (
            <span className="flex opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
              {quick(row)}
            </span>
          )}
          <RowMenuButton name={name} entries={() => entriesOf(row)} />
        </span>
      </td>
    </tr>
  );
};

// memo() forgets type parameters; the props are those of PlainRow.
const GridRow = memo(PlainRow) as typeof PlainRow;

const SkeletonRow = <Row,>({
  columns,
  selectable,
  height,
}: {
  readonly columns: readonly Column<Row>[];
  readonly selectable: boolean;
  readonly height: string;
}) => (
  <tr className={`border-b border-line last:border-b-0 ${height}`}>
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
);
