import type { LogRow } from '../list/log-row.ts';

/** Columns whose values can be excluded from the loaded records. */
const excludable = ['key', 'model', 'user', 'channel', 'type'] as const;
export type ExcludableColumn = (typeof excludable)[number];

/** Records with this value of a column are hidden, in the browser only. */
export interface Exclusion {
  readonly column: ExcludableColumn;
  readonly value: string;
}

export const isExcludable = (column: string): column is ExcludableColumn => excludable.some((each) => each === column);

/** A record's value of a column, as on the wire. */
export const valueOf = (row: LogRow, column: ExcludableColumn): string => {
  switch (column) {
    case 'key':
      return row.token_name;
    case 'model':
      return row.model_name;
    case 'user':
      return row.username;
    case 'channel':
      return String(row.channel);
    case 'type':
      return String(row.type);
  }
};

const readValue = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    // Truncated or written by hand.
    return undefined;
  }
};

/** The exclusions of an address: `model:gpt-4o,key:Mobile%20app`. */
export const readExcluded = (text: string | undefined): readonly Exclusion[] =>
  (text ?? '').split(',').flatMap((part) => {
    const [column = '', rest] = part.split(':', 2);
    const value = rest === undefined ? undefined : readValue(rest);
    return isExcludable(column) && value !== undefined ? [{ column, value }] : [];
  });

const isSame = (one: Exclusion, other: Exclusion): boolean => one.column === other.column && one.value === other.value;

const writeExcluded = (exclusions: readonly Exclusion[]): string | undefined =>
  exclusions.map(({ column, value }) => `${column}:${encodeURIComponent(value)}`).join(',') || undefined;

export const withExcluded = (text: string | undefined, added: Exclusion): string | undefined =>
  writeExcluded([...readExcluded(text).filter((each) => !isSame(each, added)), added]);

export const withoutExcluded = (text: string | undefined, removed: Exclusion): string | undefined =>
  writeExcluded(readExcluded(text).filter((each) => !isSame(each, removed)));

/** Filters the records by the exclusions; undefined: no exclusions. */
export const keeper = (text: string | undefined): ((row: LogRow) => boolean) | undefined => {
  const exclusions = readExcluded(text);
  if (exclusions.length === 0) return undefined;
  return (row) => !exclusions.some(({ column, value }) => valueOf(row, column) === value);
};
