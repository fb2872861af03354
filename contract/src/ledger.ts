import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { integer } from './wire.ts';

/** Result of the last comparison of the ledger with every balance. */
export const reconciliationSchema = v.object({
  /** Unix seconds; 0: none has ended since the start of this process. */
  checked_at: integer,
  /** Milliseconds that it took. */
  took_ms: integer,
  /** Ledger entries that were read. */
  entries: integer,
  open_holds: integer,
  /** Abandoned holds that this process has ended since its start. */
  ended_holds: integer,
  /** Uncollected quota, all time. */
  unrecovered: integer,
  /** Differences between ledger and balances; normally none. */
  findings: v.array(v.object({ rule: v.string(), subject: v.string(), expected: integer, found: integer })),
});
export type Reconciliation = v.InferOutput<typeof reconciliationSchema>;

export const readReconciliation = endpoint({
  method: 'GET',
  path: '/api/ledger/reconciliation',
  access: 'admin',
  effect: false,
  summary: 'Result of the last comparison of the ledger with balances, holds and counters.',
  data: reconciliationSchema,
});
