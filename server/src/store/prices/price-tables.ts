import type { Generated } from 'kysely';

/** Price books as they were approved; the latest is in force. */
export interface PriceBooksTable {
  id: Generated<number>;
  created_at: number;
  /** 0: the first start. */
  actor_id: number;
  name: string;
  /** `shipped`, `file NAME`, an address, or `edition ID`. */
  source: string;
  /** JSON of the contract's `PriceBook`. */
  content: string;
}

/** Price books that wait for approval: one at a time. Those of releases that were dismissed stay, without their content. */
export interface BookProposalsTable {
  id: Generated<number>;
  created_at: number;
  actor_id: number;
  name: string;
  /** As in `price_books`. */
  source: string;
  content: string;
  /** 0 or 1. */
  dismissed: number;
}

/** The operator's own prices, by model, group (empty: every) and channel (0: every), from an instant on. */
export interface OwnPricesTable {
  id: Generated<number>;
  created_at: number;
  actor_id: number;
  model: string;
  group: string;
  channel_id: number;
  /** Unix seconds. */
  from_time: number;
  /** JSON of the contract's `PriceCard`. */
  card: string;
}
