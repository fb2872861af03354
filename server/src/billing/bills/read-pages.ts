import type { BillFormat } from '@weir/contract/bills/bills';
import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { modelOfLineItem } from './line-item.ts';
import { readDay } from './report-day.ts';
import { reportFault } from './report-fault.ts';
import type { ReportLines, ReportRow } from './report-lines.ts';

type Result = Readonly<Record<string, unknown>>;

const result = v.record(v.string(), v.unknown());
/** A day or less of one vendor. Numbers are texts here (`exact-json.ts`). */
const bucketSchema = v.union([
  v.pipe(
    v.object({ start_time: v.string(), end_time: v.nullish(v.string()), results: v.array(result) }),
    v.transform(({ start_time: from, end_time: until, results }) => ({ openAi: true, from, until, results })),
  ),
  v.pipe(
    v.object({ starting_at: v.string(), ending_at: v.nullish(v.string()), results: v.array(result) }),
    v.transform(({ starting_at: from, ending_at: until, results }) => ({ openAi: false, from, until, results })),
  ),
]);
const pageSchema = v.object({ data: v.array(v.unknown()) });

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectOf = (value: unknown): Result => {
  const read = v.safeParse(result, value);
  return read.success ? read.output : {};
};

interface Place {
  readonly day: string;
  readonly place: string;
}

const inUsDollars = (currency: unknown, place: string): void => {
  if (textOf(currency).toLowerCase() !== 'usd') throw reportFault('not_dollars', { place, member: 'currency' });
};

const openAiUsage = (usage: Result, at: Place): ReportRow => ({
  ...at,
  model: textOf(usage['model']),
  requests: usage['num_model_requests'],
  input: usage['input_tokens'],
  cached: usage['input_cached_tokens'],
  cache_write: usage['input_cache_write_tokens'],
  output: usage['output_tokens'],
});

const openAiCost = (cost: Result, at: Place): ReportRow => {
  const { value, currency } = objectOf(cost['amount']);
  inUsDollars(currency, at.place);
  return { ...at, model: modelOfLineItem(textOf(cost['line_item'])), cost: value ?? 'null' };
};

const anthropicUsage = (usage: Result, at: Place): ReportRow => {
  const written = objectOf(usage['cache_creation']);
  const cacheWriteParts = [written['ephemeral_5m_input_tokens'], written['ephemeral_1h_input_tokens']];
  return {
    ...at,
    model: textOf(usage['model']),
    inputParts: [usage['uncached_input_tokens'], usage['cache_read_input_tokens'], ...cacheWriteParts],
    cached: usage['cache_read_input_tokens'],
    cacheWriteParts,
    output: usage['output_tokens'],
  };
};

/** Amounts are texts in cents: `123.45` is $1.2345. */
const anthropicCost = (cost: Result, at: Place): ReportRow => {
  inUsDollars(cost['currency'], at.place);
  const model = textOf(cost['model']) || textOf(cost['description']) || textOf(cost['cost_type']);
  return { ...at, model, cost: cost['amount'], costUnit: 'cents' };
};

interface ResultFormat {
  readonly format: BillFormat;
  readonly read: (result: Result, at: Place) => ReportRow;
}

const openAiFormat = (found: Result, place: string): ResultFormat => {
  const kind = textOf(found['object']);
  if (kind === 'organization.costs.result') return { format: 'openai_cost', read: openAiCost };
  if (/^organization\.usage\.\w+\.result$/.test(kind)) return { format: 'openai_usage', read: openAiUsage };
  throw reportFault('malformed', { place, member: 'object' });
};

const anthropicFormat = (found: Result): ResultFormat =>
  found['amount'] === undefined
    ? { format: 'anthropic_usage', read: anthropicUsage }
    : { format: 'anthropic_cost', read: anthropicCost };

const readBucket = (bucket: unknown, place: string, lines: ReportLines): readonly BillFormat[] => {
  const read = v.safeParse(bucketSchema, bucket);
  if (!read.success) throw reportFault('malformed', { place });
  const { openAi, from, until, results } = read.output;
  return results.map((found, index) => {
    const at = { place: `${place}.results[${index}]`, day: readDay(from, until, place) };
    const kind = openAi ? openAiFormat(found, at.place) : anthropicFormat(found);
    lines.add(kind.read(found, at));
    return kind.format;
  });
};

/**
 * Reads the answers of a vendor's interface, one page or several, into `lines`; tells which formats they have, and none
 * where they have no results. Rejects with `report_…`.
 */
export const readPages = (value: unknown, lines: ReportLines): ReadonlySet<BillFormat> => {
  const pages = Array.isArray(value) ? value : [value];
  const formats = new Set<BillFormat>();
  for (const [number, page] of pages.entries()) {
    const read = v.safeParse(pageSchema, page);
    if (!read.success) throw new AppError('report_unknown');
    const prefix = pages.length > 1 ? `[${number}].data` : 'data';
    for (const [index, bucket] of read.output.data.entries())
      for (const format of readBucket(bucket, `${prefix}[${index}]`, lines)) formats.add(format);
  }
  return formats;
};
