import { parse } from 'csv-parse/sync';
import { type BillFormat, reportRowsMax } from '@weir/contract/bills/bills';
import { AppError } from '../../errors.ts';
import { modelOfLineItem } from './line-item.ts';
import { readDay } from './report-day.ts';
import { reportFault } from './report-fault.ts';
import type { ReportLines, ReportRow } from './report-lines.ts';

/** Reads a cell by the name of its column; undefined: the table has no such column. */
type Cell = (column: string) => string | undefined;

interface TableFormat {
  readonly format: BillFormat;
  /** A table has this format if it has all of these columns. */
  readonly columns: readonly string[];
  /** Undefined: the row states nothing, such as a day without calls. */
  readonly row: (cell: Cell, place: string) => ReportRow | undefined;
}

const blank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

const inUsDollars = (currency: string | undefined, place: string): void => {
  if (!blank(currency) && currency?.trim().toLowerCase() !== 'usd')
    throw reportFault('not_dollars', { place, member: 'amount_currency' });
};

/** The most particular first. */
const formats: readonly TableFormat[] = [
  {
    format: 'anthropic_usage',
    columns: ['usage_date_utc', 'usage_input_tokens_no_cache', 'usage_output_tokens'],
    row: (cell, place) => {
      const written = ['', '_5m', '_1h'].map((kind) => cell(`usage_input_tokens_cache_write${kind}`));
      const read = cell('usage_input_tokens_cache_read');
      return {
        place,
        day: readDay(cell('usage_date_utc'), '', place),
        model: cell('model_version') ?? cell('model') ?? '',
        inputParts: [cell('usage_input_tokens_no_cache'), read, ...written],
        cached: read,
        cacheWriteParts: written,
        output: cell('usage_output_tokens'),
      };
    },
  },
  {
    format: 'anthropic_cost',
    columns: ['usage_date_utc', 'cost_usd'],
    row: (cell, place) => ({
      place,
      day: readDay(cell('usage_date_utc'), '', place),
      // Searches and the like have no model.
      model: blank(cell('model')) ? (cell('cost_type') ?? '') : (cell('model') ?? ''),
      cost: cell('cost_usd'),
    }),
  },
  {
    format: 'openai_cost',
    columns: ['start_time', 'amount_value'],
    row: (cell, place) => {
      if (blank(cell('amount_value'))) return undefined;
      inUsDollars(cell('amount_currency'), place);
      return {
        place,
        day: readDay(cell('start_time'), cell('end_time'), place),
        model: modelOfLineItem(cell('line_item') ?? ''),
        cost: cell('amount_value'),
      };
    },
  },
  {
    format: 'openai_usage',
    columns: ['start_time', 'num_model_requests'],
    row: (cell, place) => {
      if (blank(cell('num_model_requests')) && blank(cell('model'))) return undefined;
      return {
        place,
        day: readDay(cell('start_time'), cell('end_time'), place),
        model: cell('model') ?? '',
        requests: cell('num_model_requests'),
        input: cell('input_tokens'),
        cached: cell('input_cached_tokens'),
        cache_write: cell('input_cache_write_tokens'),
        output: cell('output_tokens'),
      };
    },
  },
  {
    format: 'table',
    columns: ['date', 'model'],
    row: (cell, place) => ({
      place,
      day: readDay(cell('date'), '', place),
      model: cell('model') ?? '',
      requests: cell('requests'),
      input: cell('input_tokens'),
      cached: cell('cached_tokens'),
      cache_write: cell('cache_write_tokens'),
      output: cell('output_tokens'),
      cost: cell('cost_usd'),
    }),
  },
];

/** Columns of our own form that say something of a day and model: a table has one of them at least. */
const figureColumns = ['requests', 'input_tokens', 'output_tokens', 'cost_usd'];

const formatOf = (names: ReadonlySet<string>): TableFormat => {
  const found = formats.find(({ columns }) => columns.every((column) => names.has(column)));
  if (found === undefined || (found.format === 'table' && !figureColumns.some((column) => names.has(column))))
    throw new AppError('report_unknown');
  return found;
};

/** The character between the cells of the first line. */
const delimiterOf = (text: string): string => {
  const [head = ''] = text.split(/\r?\n|\r/, 1);
  const count = (delimiter: string): number => head.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best));
};

interface TableRecord {
  readonly cells: readonly string[];
  /** The last line of the record, from 1. */
  readonly line: number;
}
/** Characters of one row. */
const rowMax = 64 * 1024;

const placeOf = (line: number): string => `line ${line}`;

const readRecords = (text: string): readonly TableRecord[] => {
  const records: TableRecord[] = [];
  try {
    parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      max_record_size: rowMax,
      relax_column_count: true,
      skip_empty_lines: true,
      // One more than a report may have, and its head.
      to: reportRowsMax + 2,
      on_record: (cells: string[], { lines: line }) => {
        records.push({ cells, line });
        return null;
      },
    });
  } catch (error) {
    const line = error instanceof Error && 'lines' in error ? placeOf(Number(error.lines)) : 'CSV';
    throw reportFault('malformed', { place: line });
  }
  return records;
};

const nameOf = (head: string): string =>
  head
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

/** Reads a table with a head line into `lines`; tells which format it has. Rejects with `report_…`. */
export const readTable = (text: string, lines: ReportLines): BillFormat => {
  const [head, ...records] = readRecords(text);
  const names = (head?.cells ?? []).map(nameOf);
  const { format, row } = formatOf(new Set(names));
  const indexes = new Map(names.map((name, index) => [name, index]));
  for (const { cells, line } of records) {
    const place = placeOf(line);
    if (cells.length !== names.length) throw reportFault('wrong_cells', { place, limit: names.length });
    const read = row((column) => cells[indexes.get(column) ?? -1], place);
    if (read !== undefined) lines.add(read);
  }
  return format;
};
