type Cell = string | number;

// Spreadsheets run cells that begin like this as formulas.
const risky = /^[=+\-@\t\r]/;

const cell = (value: Cell): string => {
  if (typeof value === 'number') return String(value);
  const safe = risky.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** UTF-8 with a byte order mark, so that spreadsheets read Chinese. */
export const toCsv = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${[header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;

export const downloadText = (fileName: string, text: string, type: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads the blob after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
