import type { NewLog } from '../logs/log-columns.ts';

interface TokenOfRequest {
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  /** Whether the token has an allocation of its own: then it pays beside the account. */
  readonly tokenLimited: boolean;
  /** Periods of budgets that the request counts against (`period-names.ts`); absent or empty: none. */
  readonly budgets?: string;
}

/** Reserves `amount` for a request; refused when the account, the limited token or a hard budget has less available. */
export interface HoldPosting extends TokenOfRequest {
  readonly kind: 'hold';
  readonly channelId: number;
  readonly amount: number;
  readonly priceVersion: number;
  readonly modelName: string;
  readonly openedAt: number;
}

interface KnownHold {
  /** Quota of the stored hold as the poster knows it, so that it may be ended unread; absent: not known. */
  readonly held?: number | undefined;
}

/** Raises an open hold to `amount`, so that a repeated one does nothing; refused like a hold. */
export interface ExtendPosting extends TokenOfRequest, KnownHold {
  readonly kind: 'extend';
  readonly amount: number;
}

/** Checkpoint of a stream: the price of what reached the client so far. */
export interface ProgressPosting extends KnownHold {
  readonly kind: 'progress';
  readonly requestId: string;
  readonly progress: number;
}

/** Ends a hold, whether its row exists or not, and charges `amount`: the hold first, then what is available. */
export interface SettlePosting extends TokenOfRequest, KnownHold {
  readonly kind: 'settle';
  readonly channelId: number;
  readonly amount: number;
  readonly priceVersion: number;
  /** Usage was counted here, because the upstream reported none that is plausible. */
  readonly estimated: boolean;
  /** Unix seconds. */
  readonly at: number;
  /** Where the call came from, for the token; absent or empty: not known. */
  readonly address?: string;
  /** Why the charge differs from an ordinary one; absent: it does not. */
  readonly reason?: string;
  readonly log: NewLog | null;
  /** No hold of this request was ever posted, so the writer does not look for one. */
  readonly unheld?: boolean;
  /**
   * Quota that one of several nodes set aside in its memory alone. Where no hold is open, the charge is refused unless as
   * much of it as the charge needs is available. Absent: the database decided before.
   */
  readonly setAside?: number | undefined;
}

/** Ends a hold and charges nothing. */
export interface ReleasePosting extends TokenOfRequest, KnownHold {
  readonly kind: 'release';
}

/** Adds `amount` to an account, or takes it from what is available; refused when less is available. */
export interface CreditPosting {
  readonly kind: 'credit';
  readonly opKey: string;
  readonly entry: 'grant' | 'invite' | 'adjust' | 'correction';
  readonly userId: number;
  readonly amount: number;
  readonly actorId: number;
  readonly reason: string;
  readonly at: number;
  readonly log: NewLog | null;
}

/**
 * Sets what a token may spend. `remain` is the new `available + held`; with `usedSeen`, the `used` the form was loaded
 * with, what was spent since counts against it, so that a stale form credits nothing back. `total` instead sets
 * `available + held + used`. Neither: the allocation stays and only `unlimited` is set.
 */
export interface AllocatePosting {
  readonly kind: 'allocate';
  readonly opKey: string;
  readonly tokenId: number;
  readonly userId: number;
  readonly total?: number;
  readonly remain?: number;
  readonly usedSeen?: number;
  readonly unlimited: boolean;
  readonly actorId: number;
  readonly at: number;
}

/** Turns an unused code into a credit for one user, once. */
export interface RedeemPosting {
  readonly kind: 'redeem';
  readonly keyDigest: string;
  readonly userId: number;
  readonly at: number;
  readonly log: NewLog | null;
}

/** Moves nothing: its result has the balances in the order of the postings. 0: no balance. */
export interface LookPosting {
  readonly kind: 'look';
  readonly userId: number;
  readonly tokenId: number;
  readonly budgets?: string;
}

/** A movement of money. Every one is conditional, and idempotent by its operation key or request id. */
export type Posting =
  | HoldPosting
  | ExtendPosting
  | ProgressPosting
  | SettlePosting
  | ReleasePosting
  | CreditPosting
  | AllocatePosting
  | RedeemPosting
  | LookPosting;

/** Whether a posting ends its request. */
export const endsRequest = (posting: Posting): posting is SettlePosting | ReleasePosting =>
  posting.kind === 'settle' || posting.kind === 'release';

export interface Balance {
  /** Negative for a period of a budget that more was charged to than it has. */
  readonly available: number;
  readonly held: number;
  readonly used: number;
}

export interface PostingResult {
  /** `repeated`: the operation was done before and did nothing now. */
  readonly outcome: 'done' | 'refused' | 'repeated';
  /** The amount that the account paid, or that was credited to it. */
  readonly charged: number;
  /** The amount that a settlement could not collect. */
  readonly unrecovered: number;
  /** The accounts after the whole batch. */
  readonly user?: Balance;
  readonly token?: Balance;
  /** In the order in which the posting names them. Undefined: there is no such period. */
  readonly budgets?: readonly (Balance | undefined)[];
}

/** Postings that are allowed inside a transaction; requests in flight use `Database.post` only. */
export type AdministrativePosting = CreditPosting | AllocatePosting | RedeemPosting | SettlePosting | ReleasePosting;
