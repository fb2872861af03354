import type { Findings } from './findings.ts';
import type { SourceTable } from './sources/source.ts';

type Value = string | number;

/** One value beside that of the source. */
export interface Compared {
  readonly table: SourceTable;
  readonly id: number | string;
  readonly field: string;
  readonly source: Value;
  readonly here: Value;
  /** `stated`: they differ, as the report says. */
  readonly result: 'equal' | 'stated' | 'different';
}

/** One field of all rows of a table. */
export interface FieldTotal {
  readonly table: SourceTable;
  readonly field: string;
  readonly compared: number;
  readonly stated: number;
  readonly different: number;
  /** Of numbers. */
  readonly sourceSum: number | null;
  readonly hereSum: number | null;
}

export interface Comparison {
  compare(at: Pick<Compared, 'table' | 'id' | 'field' | 'source' | 'here'>): void;
  totals(): readonly FieldTotal[];
  /** The first differences that the report does not say. */
  readonly differences: readonly Compared[];
  readonly isEqual: boolean;
}

const differencesMax = 1000;

type Total = { -readonly [Key in keyof FieldTotal]: FieldTotal[Key] };

const added = (sum: number | null, value: Value): number | null =>
  typeof value === 'number' ? (sum ?? 0) + value : sum;

/** Compares values one by one, and hands each to `write`. Keys are compared, and neither shown nor written. */
export const createComparison = (findings: Findings, write: (compared: Compared) => void): Comparison => {
  const totals = new Map<string, Total>();
  const differences: Compared[] = [];
  let isEqual = true;
  return {
    compare: ({ table, id, field, source, here }) => {
      const result =
        source === here ? 'equal' : findings.isStated(table, id, field) ? ('stated' as const) : ('different' as const);
      const name = `${table} ${field}`;
      const total = totals.get(name) ?? {
        table,
        field,
        compared: 0,
        stated: 0,
        different: 0,
        sourceSum: null,
        hereSum: null,
      };
      totals.set(name, total);
      total.compared += 1;
      if (result === 'stated') total.stated += 1;
      if (result === 'different') total.different += 1;
      total.sourceSum = added(total.sourceSum, source);
      total.hereSum = added(total.hereSum, here);
      const compared: Compared = { table, id, field, source, here, result };
      write(compared);
      if (result !== 'different') return;
      isEqual = false;
      if (differences.length < differencesMax) differences.push(compared);
    },
    totals: () => [...totals.values()],
    differences,
    get isEqual() {
      return isEqual;
    },
  };
};
