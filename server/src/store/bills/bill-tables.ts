import type { Generated } from 'kysely';

/** Imported statements of vendors' bills (`bills/vendor-bills.ts`). */
export interface VendorBillsTable {
  id: Generated<number>;
  /** Channel type. */
  vendor: number;
  /** Tells accounts at one vendor apart. */
  source: string;
  format: string;
  /** Days since 1970, UTC, both inclusive. */
  from_day: number;
  to_day: number;
  imported_at: number;
  imported_by: string;
}

/** What they state for a day and model: usage and cost apart, as they come in reports of their own. */
export interface VendorBillLinesTable {
  vendor: number;
  day: number;
  source: string;
  kind: 'usage' | 'cost';
  model: string;
  bill_id: number;
  /** -1: not stated, as below. */
  requests: number;
  input_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  output_tokens: number;
  /** Nano-dollars; below 0: a credit. 0 in lines of usage. */
  cost: number;
}
