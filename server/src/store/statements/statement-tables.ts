/** A closed month of the ledger. It has the entries after those of the month before, up to `last_id`. */
export interface LedgerMonthsTable {
  /** Months since January 1970, of UTC. */
  month: number;
  /** The last entry of the month; that of the month before where it has none. */
  last_id: number;
  /** Unix seconds. */
  closed_at: number;
}

/** What a closed month charged to an account; accounts without charges have no row. */
export interface LedgerMonthUsesTable {
  user_id: number;
  month: number;
  /** Quota units. */
  amount: number;
}
