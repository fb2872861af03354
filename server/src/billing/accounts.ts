import type { Changes } from '../store/nodes/changes.ts';
import type { Database } from '../store/database.ts';
import type { Posting, PostingResult } from '../store/ledger/postings.ts';
import { systemTimers, type EventLoopTimers } from '../store/ledger/event-loop-timers.ts';
import { createDeferredHolds } from './deferred-holds.ts';
import { createBalanceCache, freeOf, type CachedBalance } from './cached-balance.ts';
import { createReservation, type Reservation } from './reservation.ts';
import { ReservedQuota } from './reserved-quota.ts';
import type { Payer } from './stored-hold.ts';

/** Quota that a payer could reserve now, in quota units. */
export interface Free {
  readonly user: number;
  /** Infinite for an unlimited token. */
  readonly token: number;
}

/**
 * Balances of the accounts in use, cached in memory so that admission needs no database. Checking and reserving happen
 * in one tick of the event loop, which makes them atomic. The database checks every posting again.
 */
export interface Accounts {
  /** Null when the payer's balances are in memory; otherwise resolves once they are. */
  ready(payer: Payer): Promise<void> | null;
  /** Reads the balances anew: before refusing where other nodes may have changed them. */
  reload(payer: Payer): Promise<void>;
  /** Call `ready` first. */
  free(payer: Payer): Free;
  /** Remaining quota of a limited token, running requests included (`remain_quota` on the wire). */
  remain(payer: Payer): number;
  /** Sets `amount` aside, or answers null when it is not free. Call `ready` first. */
  reserve(request: { readonly requestId: string; readonly payer: Payer; readonly amount: number }): Reservation | null;
  /** Requests whose end the database did not take: their holds are left to the reconciliation. */
  readonly leftHolds: Set<string>;
  /** Any balance may have changed: each is read before its next use. */
  invalidate(): void;
  close(): void;
}

export interface AccountsDeps {
  readonly db: Pick<Database, 'post'>;
  readonly changes: Pick<Changes, 'subscribe'>;
  /** Receives the errors of postings that no caller awaits. */
  onError(error: unknown): void;
  /** Absent: real time. */
  readonly timers?: EventLoopTimers;
}

/** More than a node opens while the database is away; beyond, the next start ends them. */
const leftHoldsMax = 100_000;

/** Posts, and notes the requests whose end failed. */
const postNoting =
  (db: AccountsDeps['db'], leftHolds: Set<string>) =>
  async (posting: Posting): Promise<PostingResult> => {
    try {
      return await db.post(posting);
    } catch (error) {
      const ends = posting.kind === 'settle' || posting.kind === 'release';
      if (ends && leftHolds.size < leftHoldsMax) leftHolds.add(posting.requestId);
      throw error;
    }
  };

export const createAccounts = ({ db, changes, onError, timers = systemTimers }: AccountsDeps): Accounts => {
  const users = createBalanceCache(async (userId) => (await db.post({ kind: 'look', userId, tokenId: 0 })).user);
  const tokens = createBalanceCache(async (tokenId) => (await db.post({ kind: 'look', userId: 0, tokenId })).token);
  const deferredHolds = createDeferredHolds(timers);
  const leftHolds = new Set<string>();
  const post = postNoting(db, leftHolds);
  const unsubscribe = [
    changes.subscribe('user', ({ id }) => users.invalidate(Number(id))),
    changes.subscribe('token', ({ id }) => tokens.invalidate(Number(id))),
  ];

  const present = (cached: CachedBalance | undefined): CachedBalance => {
    if (cached === undefined) throw new Error('The balance is not in memory: call ready first');
    return cached;
  };
  const balancesOf = ({ userId, tokenId, tokenLimited }: Payer) => ({
    user: present(users.get(userId)),
    token: tokenLimited ? present(tokens.get(tokenId)) : null,
  });

  const ready = (payer: Payer): Promise<void> | null => {
    const { userId, tokenId, tokenLimited } = payer;
    const user = users.ready(userId);
    const token = tokenLimited ? tokens.ready(tokenId) : null;
    if (user === null && token === null) return null;
    // While one was read the other may have changed.
    return Promise.all([user, token]).then(() => ready(payer) ?? undefined);
  };

  return {
    ready,
    reload: async ({ userId, tokenId, tokenLimited }) => {
      await Promise.all([users.reload(userId), tokenLimited ? tokens.reload(tokenId) : null]);
    },
    free: (payer) => {
      const { user, token } = balancesOf(payer);
      return { user: freeOf(user), token: token === null ? Infinity : freeOf(token) };
    },
    remain: (payer) => {
      const { token } = balancesOf(payer);
      return token === null ? Infinity : token.balance.available + token.balance.held;
    },
    reserve: ({ requestId, payer, amount }) => {
      const { user, token } = balancesOf(payer);
      const quota = new ReservedQuota({ post }, user, token);
      if (!quota.covers(amount)) return null;
      return createReservation({ db, deferredHolds, requestId, payer, quota, amount, onError });
    },
    leftHolds,
    invalidate: () => {
      users.invalidate(0);
      tokens.invalidate(0);
    },
    close: () => {
      deferredHolds.close();
      for (const end of unsubscribe) end();
    },
  };
};
