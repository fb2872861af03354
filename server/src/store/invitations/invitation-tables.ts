import type { Generated } from 'kysely';

/** What new tokens begin with. */
export interface KeyPresetsTable {
  id: Generated<number>;
  name: string;
  models: string;
  subnet: string;
  /** Quota units. */
  remain_quota: number;
  unlimited_quota: number;
  /** From the creation of a token until it expires; 0: it does not. */
  days: number;
  created_time: number;
}

/** Codes that open accounts. */
export interface InvitationsTable {
  id: Generated<number>;
  name: string;
  /** Of its code. */
  key_digest: string;
  /** Empty: it was deleted. */
  key_sealed: string;
  account_group: string;
  /** 0: none. */
  team_id: number;
  preset_id: number;
  uses: number;
  uses_max: number;
  /** Unix seconds; 0: never. */
  expires_at: number;
  created_by: number;
  created_time: number;
  /** 0: not deleted. */
  deleted_time: number;
}
