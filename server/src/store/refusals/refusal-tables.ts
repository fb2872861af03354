import type { Generated } from 'kysely';

/** Records of refused calls: not of all of them under a flood (`refusals/refusals.ts`). */
export interface RefusalsTable {
  id: Generated<number>;
  created_at: number;
  /** 0: no user is known, as of the token. */
  user_id: number;
  username: string;
  token_id: number;
  token_name: string;
  group: string;
  model_name: string;
  /** Without the query. */
  path: string;
  rule: string;
  /** The HTTP status of the answer. */
  status: number;
  message: string;
  retry_after: string;
  request_id: string;
  /** Milliseconds. */
  elapsed_time: number;
  /** 0 or 1. */
  is_stream: number;
  /** The last characters of a key that no token has. */
  key_tail: string;
  /** The client's address and network where the user is not known; else empty. */
  address: string;
  network: string;
  /** JSON object text: the route and the attempts. */
  detail: string;
}

/** All refused calls, counted by quarter of an hour. */
export interface RefusalSumsTable {
  /** Unix seconds / 900, floored. */
  slot: number;
  user_id: number;
  token_id: number;
  rule: string;
  /** Of callers that are not known; `other`: of more networks than are counted apart. Empty: the user is known. */
  network: string;
  count: number;
  first_at: number;
  last_at: number;
  /** The first of them. */
  request_id: string;
}
