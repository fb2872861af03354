/** A number as it is to be written. */
interface Decimal {
  readonly decimal: string;
}
type Cell = string | number | boolean | Decimal;

/** Spreadsheets run cells that begin so as formulas, full-width signs included (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

const cellText = (cell: Cell): string => {
  if (typeof cell === 'object') return cell.decimal;
  if (typeof cell !== 'string') return String(cell);
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One line of a table (RFC 4180), which no spreadsheet takes for a formula. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** At the beginning of a file: spreadsheets then read it as UTF-8. */
export const byteOrderMark = '\uFEFF';
