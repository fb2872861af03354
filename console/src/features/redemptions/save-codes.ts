import { downloadText } from '../../lib/format/csv.ts';

/** Saves codes as a plain UTF-8 text, named after the codes, one a line (specification §5). */
export const saveCodes = (name: string, codes: readonly string[]): void =>
  downloadText(`${name}.txt`, codes.map((code) => `${code}\n`).join(''), 'text/plain');
