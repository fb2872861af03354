import { readPreference, writePreference } from './storage.ts';

interface Choosable {
  readonly id: string;
  readonly fixed?: boolean;
  readonly spare?: boolean;
}

const none = 'none';

/** Comma-joined ids of hidden columns: the address first, then this browser's memory; undefined: the default. */
export const readColumns = (list: string, fromAddress: string | undefined): string | undefined => {
  const stored = fromAddress ?? readPreference(`hidden:${list}`);
  return typeof stored === 'string' ? stored : undefined;
};

export const shownColumns = <C extends Choosable>(columns: readonly C[], hidden: string | undefined): readonly C[] => {
  const ids = hidden?.split(',');
  return columns.filter((column) => column.fixed === true || (ids ? !ids.includes(column.id) : column.spare !== true));
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

export const resetColumns = (list: string): void => writePreference(`hidden:${list}`, undefined);
