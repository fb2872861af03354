import { useState } from 'react';
import {
  chooseColumn,
  orderedColumns,
  readColumns,
  resetColumns,
  saveOrder,
  shownColumns,
} from '../../lib/lists/column-choice.ts';
import { density } from '../../lib/browser/density.ts';
import { useStore } from '../../lib/store.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../button.tsx';
import { Checkbox } from '../form/checkbox.tsx';
import { Icon } from '../icon.tsx';
import { Popover } from '../overlay/popover.tsx';
import { useSorting } from '../table/use-sorting.ts';
import { ViewTabs } from '../view-tabs.tsx';

interface ChoosableColumn {
  readonly id: string;
  readonly title: Message;
  readonly fixed?: boolean;
  readonly spare?: boolean;
}

export interface ColumnPanelProps {
  /** Name of the list: the choice is stored under it. */
  readonly name: string;
  readonly columns: readonly ChoosableColumn[];
  /** Hidden columns of the address. */
  readonly hide: string | undefined;
  readonly onHide: (hide: string | undefined) => void;
  /** Rows have a fixed height: no density to choose. */
  readonly dense: boolean;
  readonly anchor: HTMLElement;
  readonly label: string;
  readonly onClose: () => void;
}

/** Chooses the columns of a list, their order and the row height. */
export const ColumnPanel = ({ name, columns, hide, onHide, dense, anchor, label, onClose }: ColumnPanelProps) => {
  const t = useT();
  const [ordered, setOrdered] = useState(() => orderedColumns(name, columns));
  const hidden = readColumns(name, hide);
  const shown = shownColumns(ordered, hidden);
  const order = (next: readonly ChoosableColumn[]): void => {
    saveOrder(name, next);
    setOrdered(next);
  };
  const { list, item, handle, lastMove } = useSorting(ordered, order);
  const reset = (): void => {
    resetColumns(name);
    setOrdered(columns);
    onHide(undefined);
  };
  return (
    <Popover anchor={anchor} label={label} onClose={onClose}>
      <div className="flex w-70 flex-col gap-1 p-2">
        <p className="px-2 pt-1 text-12 text-mute">{t(m.columns_hint)}</p>
        <ul {...list} className="select-none">
          {ordered.map((column, index) => (
            <li
              key={column.id}
              {...item(index)}
              className="flex h-9 items-center rounded-control data-dragged:bg-raised"
            >
              <Checkbox
                label={t(column.title)}
                checked={shown.includes(column)}
                disabled={column.fixed === true}
                className="min-w-0 flex-1 px-2"
                onChange={() => onHide(chooseColumn(name, columns, hidden, column.id))}
              />
              <button
                type="button"
                aria-label={t(m.column_move, { name: t(column.title) })}
                className="inline-flex size-8 cursor-grab touch-none items-center justify-center rounded-control text-mute hover:bg-raised hover:text-ink pointer-coarse:size-9"
                {...handle(index)}
              >
                <Icon name="up-down" />
              </button>
            </li>
          ))}
        </ul>
        <p role="status" className="sr-only">
          {lastMove &&
            t(m.column_moved, { name: t(lastMove.item.title), position: lastMove.index + 1, count: ordered.length })}
        </p>
        {!dense && <Density />}
        <Button look="quiet" icon="refresh" onClick={reset}>
          {t(m.columns_reset)}
        </Button>
      </div>
    </Popover>
  );
};

const Density = () => {
  const t = useT();
  return (
    <ViewTabs
      label={t(m.density)}
      views={[['comfortable', t(m.density_comfortable)] as const, ['compact', t(m.density_compact)] as const]}
      current={useStore(density)}
      onPick={(next) => density.set(next)}
      className="*:flex-1"
    />
  );
};
