import type { Generated } from 'kysely';

export interface TokensTable {
  id: Generated<number>;
  user_id: number;
  key_digest: string;
  key_sealed: string;
  /** 1 enabled, 2 disabled, 3 expired, 4 exhausted. */
  status: number;
  name: string;
  created_time: number;
  accessed_time: number;
  /** -1: never. */
  expired_time: number;
  unlimited_quota: number;
  available: number;
  held: number;
  used: number;
  models: string;
  subnet: string;
  /** 0: not deleted. A deleted token stays as a tombstone for the ledger. */
  deleted_time: number;
  /** Until when the key before the present one works; 0: there was none. */
  overlap_until: Generated<number>;
  /** Where the last charged call came from; empty: not known. */
  last_address: Generated<string>;
  /** The `team_members` row of a team's token; 0: of the account alone. */
  member_id: Generated<number>;
}

/** Former keys of tokens, so that a client with one is told why it is refused, and the owner of a leaked one is found. */
export interface ReplacedKeysTable {
  key_digest: string;
  token_id: number;
  /** Named by the client that rolled the key, once for each token. */
  roll_id: string;
  /** The digest of the key that came in its place. */
  successor: string;
  valid_until: number;
  created_time: number;
}

/** Tokens whose owner was reminded of an expiry. */
export interface ExpiryRemindersTable {
  token_id: number;
  expired_time: number;
}
