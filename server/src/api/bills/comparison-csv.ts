import type { BillFigures, ComparedDay } from '@weir/contract/bills/bills';
import { byteOrderMark, csvLine } from '../logs/csv.ts';

const counts = ['requests', 'input', 'cached', 'cache_write', 'output'] as const;
const places = 9;

/** Nano-dollars as dollars, exactly. */
const dollars = (nano: number | null): string => {
  if (nano === null) return '';
  const digits = String(Math.abs(nano)).padStart(places + 1, '0');
  return `${nano < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

const cells = (figures: BillFigures | null) => [
  ...counts.map((name) => figures?.[name] ?? ''),
  { decimal: dollars(figures?.cost ?? null) },
];

const head = (side: string): readonly string[] => [...counts.map((name) => `${side}_${name}`), `${side}_cost_usd`];

/** The rows of a comparison as a table (RFC 4180) that no spreadsheet takes for formulas. */
export const comparisonCsv = function* (rows: readonly ComparedDay[]): Generator<string> {
  yield (
    byteOrderMark +
      csvLine(['date', 'model', 'reason', 'flagged', 'vendor_names', 'own_names', ...head('vendor'), ...head('own')])
  );
  for (const row of rows) {
    yield csvLine([
      row.day,
      row.model,
      row.reason,
      row.flagged ? 1 : 0,
      row.their_names.join(' '),
      row.our_names.join(' '),
      ...cells(row.theirs),
      ...cells(row.ours),
    ]);
  }
};
