import { useMemo } from 'react';
import { readPreference, writePreference } from '../browser/storage.ts';
import { useMedia } from '../hooks/use-media.ts';
import { createStore, useStore } from '../store.ts';

interface Choosable {
  readonly id: string;
  readonly fixed?: boolean;
  readonly spare?: boolean;
  readonly from?: WindowWidth;
}

/** Widths of a window, in px, from which a list shows more columns by default. */
export type WindowWidth = 1024 | 1280 | 1366 | 1600;

const none = 'none';

const textOf = (stored: unknown): string | undefined => (typeof stored === 'string' ? stored : undefined);

/** Comma-joined ids of hidden columns: from the address, else from this browser's storage; undefined: the default. */
export const readColumns = (list: string, fromAddress: string | undefined): string | undefined =>
  fromAddress ?? textOf(readPreference(`hidden:${list}`));

/** Narrower windows show cards, which have room for every value. */
const tablesFrom = 768;

/** Until the user chooses, a table has no more columns than the window has room for. */
export const shownColumns = <C extends Choosable>(
  columns: readonly C[],
  hidden: string | undefined,
  windowWidth = window.innerWidth,
): readonly C[] => {
  const ids = hidden?.split(',');
  return columns.filter(({ id, fixed, spare, from = 0 }) => {
    if (fixed === true) return true;
    if (ids) return !ids.includes(id);
    return spare !== true && (from <= windowWidth || windowWidth < tablesFrom);
  });
};

/** The largest of the widths above that the window has; 0: it shows cards. */
const useWindowWidth = (): WindowWidth | typeof tablesFrom | 0 => {
  const huge = useMedia('(min-width: 1600px)');
  const large = useMedia('(min-width: 1366px)');
  const middle = useMedia('(min-width: 1280px)');
  const small = useMedia('(min-width: 1024px)');
  const table = useMedia(`(min-width: ${tablesFrom}px)`);
  if (huge) return 1600;
  if (large) return 1366;
  if (middle) return 1280;
  if (small) return 1024;
  return table ? tablesFrom : 0;
};

/** The new value after a column was shown or hidden. */
export const chooseColumn = (
  list: string,
  columns: readonly Choosable[],
  hidden: string | undefined,
  id: string,
): string => {
  const shown = new Set(shownColumns(columns, hidden).map((column) => column.id));
  if (shown.has(id)) shown.delete(id);
  else shown.add(id);
  const next =
    columns
      .filter((column) => !shown.has(column.id))
      .map((column) => column.id)
      .join(',') || none;
  writePreference(`hidden:${list}`, next);
  return next;
};

/** Counts changes of any list's order, so that the current list updates. */
const changes = createStore(0);

/** Comma-joined ids in the chosen order; undefined: the default. */
const readOrder = (list: string): string | undefined => textOf(readPreference(`order:${list}`));

/** A column that is not in the order, such as one of a newer release, keeps its default predecessor. */
export const orderColumns = <C extends Choosable>(columns: readonly C[], order: string | undefined): readonly C[] => {
  const ordered = [...new Set(order?.split(','))].flatMap((id) => columns.find((column) => column.id === id) ?? []);
  return columns.reduce<readonly C[]>((placed, column, index) => {
    if (placed.includes(column)) return placed;
    const before = columns[index - 1];
    return placed.toSpliced(before === undefined ? 0 : placed.indexOf(before) + 1, 0, column);
  }, ordered);
};

export const saveOrder = (list: string, columns: readonly Choosable[]): void => {
  writePreference(`order:${list}`, columns.map(({ id }) => id).join(','));
  changes.set(changes.get() + 1);
};

export const resetColumns = (list: string): void => {
  writePreference(`hidden:${list}`, undefined);
  writePreference(`order:${list}`, undefined);
  changes.set(changes.get() + 1);
};

/** All columns of a list in their order. */
export const orderedColumns = <C extends Choosable>(list: string, columns: readonly C[]): readonly C[] =>
  orderColumns(columns, readOrder(list));

/** The visible columns of a list, in their order. */
export const useColumns = <C extends Choosable>(
  list: string,
  columns: readonly C[],
  fromAddress: string | undefined,
): readonly C[] => {
  useStore(changes);
  const order = readOrder(list);
  const hidden = readColumns(list, fromAddress);
  const width = useWindowWidth();
  return useMemo(() => shownColumns(orderColumns(columns, order), hidden, width), [columns, order, hidden, width]);
};
