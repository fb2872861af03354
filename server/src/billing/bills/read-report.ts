import { type BillFormat, reportBytesMax, type Statement } from '@weir/contract/bills/bills';
import { AppError } from '../../errors.ts';
import { vendorOfFormat } from './bill-vendors.ts';
import { readExactJson } from './exact-json.ts';
import { readPages } from './read-pages.ts';
import { readTable } from './read-table.ts';
import { reportFault } from './report-fault.ts';
import { createReportLines, type ReportLines } from './report-lines.ts';

const parseJson = (text: string): unknown => {
  try {
    return readExactJson(text);
  } catch {
    throw reportFault('malformed', { place: 'JSON' });
  }
};

const readInto = (text: string, lines: ReportLines): BillFormat => {
  if (!/^[\s\uFEFF]*[[{]/.test(text)) return readTable(text, lines);
  const [format, ...others] = readPages(parseJson(text.replace(/^\uFEFF/, '')), lines);
  if (format === undefined) throw new AppError('report_empty');
  if (others.length > 0) throw reportFault('malformed', { place: 'data' });
  return format;
};

/** Reads a report, a table or JSON, by day and model. Pure; rejects with `report_…`, which names the place. */
export const readReport = (text: string): Statement => {
  if (Buffer.byteLength(text) > reportBytesMax)
    throw reportFault('too_large', { place: 'bytes', limit: reportBytesMax });
  const collected = createReportLines();
  const format = readInto(text, collected);
  const lines = collected.lines();
  if (lines.length === 0) throw new AppError('report_empty');
  return { format, vendor: vendorOfFormat(format), rows: collected.rows, lines };
};

/** Reads what was fetched: answers of one vendor about usage and costs, of which there may be none. */
export const readFetched = (pages: readonly string[], format: BillFormat): Statement => {
  const collected = createReportLines();
  readPages(pages.map(parseJson), collected);
  return { format, vendor: vendorOfFormat(format), rows: collected.rows, lines: collected.lines() };
};
