/** A closed month that was written to an archive. Its uses leave the ledger piece by piece. */
export interface LedgerArchivesTable {
  /** Months since January 1970, of UTC. */
  month: number;
  /** The last entry of the month, as in `ledger_months`. */
  last_id: number;
  /** Uses up to this entry are in the folded sums, and no longer in the ledger. */
  folded_to: number;
  /** The uses of the month: their number, and the sums of their columns. */
  uses: number;
  amount: number;
  unrecovered: number;
  /** SHA-256 over the manifest of the archive, which has those of its files. */
  checksum: string;
  /** Unix seconds. */
  archived_at: number;
}

/** What the folded uses of a user, token and channel came to. */
export interface LedgerFoldedUsesTable {
  user_id: number;
  token_id: number;
  channel_id: number;
  entries: number;
  /** Quota units. */
  amount: number;
  unrecovered: number;
}

/** What the folded uses came to that count against a period of a budget. */
export interface LedgerFoldedPeriodsTable {
  period_id: number;
  /** Quota units. */
  amount: number;
}
