import type { Secrets } from '../../store/credentials/secrets.ts';
import type { NewEntry } from '../../store/ledger/accounts-state.ts';
import type { ImportedTable } from '../../store/imports/import-rows.ts';
import type { FindingAt, FindingCode, Findings } from '../findings.ts';
import type { SourceTable } from '../sources/source.ts';

/** What all rows of a source are converted with, and what one table must know of another. */
export interface Conversion {
  readonly secrets: Secrets;
  readonly findings: Findings;
  /** Unix seconds of the import. */
  readonly at: number;
  /** The source is New API, whose tables have other columns and other channel types. */
  readonly isNewApi: boolean;
  /** Forms of names that more than one user has. */
  readonly sharedNames: ReadonlySet<string>;
  /** The status of every user that was converted. */
  readonly userStatus: Map<number, number>;
  /** Values that must not come twice, by column: those that were seen. */
  readonly seen: Map<string, Set<string>>;
  /** Groups that users and channels are in. */
  readonly groups: Set<string>;
}

/** Rows of a page as they are to be stored, with the entries of the ledger that open them. */
export interface Converted {
  readonly table: ImportedTable;
  readonly rows: readonly object[];
  readonly entries: readonly NewEntry[];
}

/** Whether a value of a column was not there before. */
export const isFirst = ({ seen }: Conversion, column: string, value: string): boolean => {
  const known = seen.get(column) ?? new Set();
  seen.set(column, known);
  if (known.has(value)) return false;
  known.add(value);
  return true;
};

/** Reports what becomes of one row. */
export const noteOf =
  ({ findings }: Conversion, table: SourceTable, id: number, name: string) =>
  (code: FindingCode, field?: FindingAt['field']): void =>
    findings.add(code, {
      table,
      id,
      ...(field !== undefined && { field }),
      ...(name !== '' && { detail: name.slice(0, 60) }),
    });
