import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { idParams, integer, integerInput, integerQuery, textInput, textQuery } from '../wire.ts';

/** Bytes of a report, in UTF-8. */
export const reportBytesMax = 20 * 1024 * 1024;
/** Rows of a report, before those of one day and model are added up. */
export const reportRowsMax = 200_000;
/** Lines of a statement: days and models. */
export const billLinesMax = 10_000;
/** Characters. */
export const billSourceMax = 60;
export const billModelMax = 256;
/** Days that one fetch or one comparison covers. */
export const billDaysMax = 92;

/** Where a statement comes from: a report of a vendor, a table in our own form, or a vendor's interface. */
export const billFormats = [
  'openai_usage',
  'openai_cost',
  'anthropic_usage',
  'anthropic_cost',
  'table',
  'openai_fetched',
  'anthropic_fetched',
] as const;
export type BillFormat = (typeof billFormats)[number];

/** A UTC day as `2026-11-24`. */
const day = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\d$/),
  v.check((text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text), 'a day'),
);
/** Null: the vendor does not say. */
const count = v.nullable(v.pipe(integer, v.minValue(0)));

const figures = {
  requests: count,
  /** All tokens of the prompts; those read from and written to a cache are among them. */
  input: count,
  cached: count,
  cache_write: count,
  output: count,
  /** Nano-dollars (10⁻⁹ US dollars); below 0: a credit. */
  cost: v.nullable(integer),
};
const figuresSchema = v.object(figures);
export type BillFigures = v.InferOutput<typeof figuresSchema>;

/** What a vendor states for one day and model. */
const billLineSchema = v.object({
  day,
  model: v.pipe(textInput(billModelMax), v.minLength(1)),
  ...figures,
});
export type BillLine = v.InferOutput<typeof billLineSchema>;

/** A report as it was understood: nothing of it is stored yet. */
const statementSchema = v.object({
  format: v.picklist(billFormats),
  /** Channel type of the vendor; 0: the report does not tell. */
  vendor: integer,
  /** Rows that were read. */
  rows: integer,
  /** In the order of day and model. */
  lines: v.array(billLineSchema),
});
export type Statement = v.InferOutput<typeof statementSchema>;

export const billSchema = v.object({
  id: integer,
  /** Channel type. */
  vendor: integer,
  source: v.string(),
  format: v.picklist(billFormats),
  /** UTC days, both inclusive. */
  from: day,
  to: day,
  /** Lines that no later import has replaced; the usage and the cost of a day and model are two. */
  lines: integer,
  /** Nano-dollars of these lines; null: they tell no cost. */
  cost: v.nullable(integer),
  /** Unix seconds. */
  imported_at: integer,
  imported_by: v.string(),
});
export type Bill = v.InferOutput<typeof billSchema>;

/**
 * Why a day and model of the vendor and ours agree or differ; `docs/billing.md` says when each holds. The last four are
 * flagged.
 */
export const billReasons = [
  'equal',
  'close',
  'day_boundary',
  'unbilled_calls',
  'estimated',
  'not_comparable',
  'price',
  'only_theirs',
  'only_ours',
  'unexplained',
] as const;
export type BillReason = (typeof billReasons)[number];

export const flaggedReasons: ReadonlySet<BillReason> = new Set<BillReason>([
  'price',
  'only_theirs',
  'only_ours',
  'unexplained',
]);

const comparedSchema = v.object({
  day,
  /** The name that both sides were matched by. */
  model: v.string(),
  /** The names on the vendor's side and on ours. */
  their_names: v.array(v.string()),
  our_names: v.array(v.string()),
  /** Null: nothing of this day and model. */
  theirs: v.nullable(figuresSchema),
  ours: v.nullable(figuresSchema),
  reason: v.picklist(billReasons),
  flagged: v.boolean(),
  /** Nano-dollars for a million tokens, input and output together, where the reason is the price. */
  their_price: v.nullable(integer),
  our_price: v.nullable(integer),
});
export type ComparedDay = v.InferOutput<typeof comparedSchema>;

const comparisonSchema = v.object({
  vendor: integer,
  from: day,
  to: day,
  /** The channels whose calls are compared. */
  channels: v.array(v.object({ id: integer, name: v.string() })),
  /** All days and models, newest day first, then the largest difference. */
  rows: v.array(comparedSchema),
  theirs: figuresSchema,
  ours: figuresSchema,
  /** Flagged rows. */
  flagged: integer,
});
export type Comparison = v.InferOutput<typeof comparisonSchema>;

const vendorInput = v.pipe(integerInput, v.minValue(1), v.maxValue(1_000_000));
/** What tells two accounts at one vendor apart; may be empty. */
const sourceInput = v.optional(textInput(billSourceMax), '');

export const listBills = endpoint({
  method: 'GET',
  path: '/api/bill/',
  access: 'admin',
  effect: false,
  summary: "Imported statements of vendors' bills, newest first; at most 1,000.",
  data: v.array(billSchema),
});

/** A report grows in JSON: every quote and line end takes two bytes. */
const reportBodyMaxBytes = 2 * reportBytesMax + 1024;

export const readReport = endpoint({
  method: 'POST',
  path: '/api/bill/read',
  access: 'admin',
  effect: true,
  summary: "Read a vendor's usage or cost report (CSV or JSON) by day and model, without storing it.",
  body: v.object({ content: v.string() }),
  bodyMaxBytes: reportBodyMaxBytes,
  data: statementSchema,
});

export const fetchReport = endpoint({
  method: 'POST',
  path: '/api/bill/fetch',
  access: 'admin',
  effect: true,
  summary:
    "Fetch usage and costs from a vendor's interface with an admin key, without storing them. The key is used once and not stored.",
  body: v.object({
    vendor: vendorInput,
    key: v.pipe(textInput(512), v.minLength(1)),
    from: day,
    to: day,
    /** Another address than the vendor's own; empty: the vendor's. */
    address: v.optional(textInput(2048), ''),
  }),
  data: statementSchema,
});

export const importBill = endpoint({
  method: 'POST',
  path: '/api/bill/',
  access: 'admin',
  effect: true,
  summary:
    'Store a statement. Each line replaces what an earlier statement of the same vendor and source has for its day and model.',
  body: v.object({
    vendor: vendorInput,
    source: sourceInput,
    format: v.picklist(billFormats),
    lines: v.pipe(v.array(billLineSchema), v.minLength(1), v.maxLength(billLinesMax)),
  }),
  bodyMaxBytes: 16 * 1024 * 1024,
  data: v.object({
    id: integer,
    /** Lines stored, and how many of them took the place of earlier ones. */
    lines: integer,
    replaced: integer,
  }),
});

export const deleteBill = endpoint({
  method: 'DELETE',
  path: '/api/bill/:id',
  access: 'admin',
  effect: true,
  summary: 'Delete a statement and its lines.',
  params: idParams,
});

const comparisonQuery = {
  /** Channel type. */
  vendor: integerQuery,
  /** UTC days, both inclusive; at most 92. Empty: the last 31 days that have lines. */
  from: textQuery,
  to: textQuery,
  /** Ids of channels, joined by commas; empty: all of the vendor's type, deleted ones included. */
  channels: textQuery,
};

export const compareBills = endpoint({
  method: 'GET',
  path: '/api/bill/compare',
  access: 'admin',
  effect: false,
  summary: "The vendor's usage and cost beside ours, by UTC day and model, with the reason for each difference.",
  query: v.object(comparisonQuery),
  data: comparisonSchema,
});

export const exportComparison = endpoint({
  method: 'GET',
  path: '/api/bill/compare/export',
  access: 'admin',
  effect: false,
  summary: 'The comparison as a CSV file; with `flagged=1` only what is flagged.',
  query: v.object({ ...comparisonQuery, flagged: integerQuery }),
  files: ['text/csv'],
});
