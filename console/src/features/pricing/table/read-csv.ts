/** A record of a CSV file; a cell in quotes may have several lines. */
export interface CsvLine {
  /** Line of the file where it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The separator of the first line: spreadsheets of some countries use semicolons or tabs. */
const separatorOf = (text: string): string => {
  const [first = ''] = text.split(/\r?\n/, 1);
  const counts = [',', ';', '\t'].map((sign) => [sign, first.split(sign).length] as const);
  return counts.toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? ',';
};

/** Reads a CSV file (RFC 4180); lines without any text are left out. */
export const readCsv = (file: string): CsvLine[] => {
  const text = file.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const lines: CsvLine[] = [];
  let [cell, quoted, line, begins] = ['', false, 1, 1];
  let cells: string[] = [];
  const endLine = (): void => {
    cells.push(cell);
    if (cells.some((each) => each.trim() !== '')) lines.push({ line: begins, cells });
    [cell, cells] = ['', []];
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '\n') line += 1;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (sign === '"' && cell === '') quoted = true;
    else if (sign === separator) {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') {
      endLine();
      begins = line;
    } else if (sign !== '\r') cell += sign;
  }
  endLine();
  return lines;
};
