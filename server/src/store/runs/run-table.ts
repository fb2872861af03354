import type { Generated } from 'kysely';

/** What one agent does for one purpose: calls that carry the same name. */
export interface RunsTable {
  id: Generated<number>;
  user_id: number;
  /** The token of its first call. */
  token_id: number;
  /** What its calls named it; of its user alone. */
  name: string;
  /** The `budget_periods` row with what it may spend and has spent. */
  period_id: number;
  /** Unix seconds. */
  started_at: number;
  /** Of the latest call that was written. */
  last_at: number;
  /** From then on calls are refused; 0: never. */
  ends_at: number;
  /** When it was ended by hand; 0: it was not. */
  ended_at: number;
  /** Calls that were admitted. */
  calls: number;
  /** 0: no limit. */
  calls_max: number;
  /** Quota units that it may spend; 0: no limit. */
  amount: number;
}
