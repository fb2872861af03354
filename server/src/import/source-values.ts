import type { SourceRow, SourceTable } from './sources/source.ts';

/** A value of the source that cannot be taken over exactly: nothing is imported until it is mended there. */
export class UnreadableValue extends Error {
  readonly table: SourceTable;
  readonly id: string;
  readonly column: string;

  constructor(at: { readonly table: SourceTable; readonly id: string; readonly column: string }, value: string) {
    super(`${at.table} ${at.id}: ${at.column} is ${value.slice(0, 40)}, which is no exact whole number`);
    this.name = 'UnreadableValue';
    this.table = at.table;
    this.id = at.id;
    this.column = at.column;
  }
}

/** Reads the columns of one row. */
export interface RowReader {
  readonly id: number;
  /** Null is empty. PostgreSQL stores no NUL, which no text needs. */
  text(column: string): string;
  /** A key: fixed-width columns fill it up with blanks. */
  key(column: string): string;
  /** Throws where it is not exact. */
  integer(column: string, absent?: number): number;
  real(column: string): number;
  flag(column: string): boolean;
  /** Unix seconds of a date column; 0: none. */
  date(column: string): number;
  has(column: string): boolean;
}

const wholeNumber = /^\s*([+-]?\d+)(?:\.0*)?\s*$/;
const truths: ReadonlySet<string> = new Set(['1', 't', 'true']);

export const readRow = (table: SourceTable, row: SourceRow): RowReader => {
  const rawText = (column: string): string => row[column] ?? '';
  const integer = (column: string, absent = 0): number => {
    const text = rawText(column);
    if (text === '') return absent;
    const value = Number(wholeNumber.exec(text)?.[1] ?? Number.NaN);
    if (!Number.isSafeInteger(value)) throw new UnreadableValue({ table, id: rawText('id'), column }, text);
    return value;
  };
  const text = (column: string): string => rawText(column).replaceAll('\0', '').toWellFormed();
  return {
    id: table === 'options' ? 0 : integer('id'),
    text,
    key: (column) => text(column).trim(),
    integer,
    real: (column) => {
      const value = Number(rawText(column));
      return Number.isFinite(value) ? value : 0;
    },
    flag: (column) => truths.has(rawText(column).toLowerCase()),
    date: (column) => {
      const value = rawText(column);
      if (value === '') return 0;
      const time = Date.parse(
        /[zZ]|[+-]\d{2}(?::?\d{2})?$/.test(value) ? value.replace(/([+-]\d{2})$/, '$1:00') : `${value}Z`,
      );
      return Number.isNaN(time) ? 1 : Math.floor(time / 1000);
    },
    has: (column) => (row[column] ?? null) !== null,
  };
};
