import { downloadText, toCsv } from '../../lib/format/csv.ts';
import { language } from '../../lib/browser/locale.ts';
import type { Column } from '../table/data-table-types.ts';

/** Saves rows as CSV: the visible columns as shown, then exact values under the wire's names. */
export const exportRows = <Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void => {
  const locale = language();
  const shown = columns.flatMap(({ title, text }) => (text ? [{ title: title({}, { locale }), text }] : []));
  const raw = columns.flatMap((column) => (column.raw ? [column.raw] : []));
  const header = [...shown.map(({ title }) => title), ...raw.map(([wireName]) => wireName)];
  const lines = rows.map((row) => [...shown.map(({ text }) => text(row)), ...raw.map(([, value]) => value(row))]);
  downloadText(`${name}.csv`, toCsv(header, lines), 'text/csv');
};
