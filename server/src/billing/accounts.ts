import type { Changes } from '../store/nodes/changes.ts';
import type { Database } from '../store/database.ts';
import { namePeriods, periodsNamed } from '../store/ledger/period-names.ts';
import { endsRequest, type Posting } from '../store/ledger/postings.ts';
import { systemTimers, type EventLoopTimers } from '../store/ledger/event-loop-timers.ts';
import { createDeferredHolds } from './deferred-holds.ts';
import { createBalanceCache, freeOf, type CachedBalance } from './cached-balance.ts';
import { createReservation, type Reservation } from './reservation.ts';
import { type PayerBalances, ReservedQuota } from './reserved-quota.ts';
import type { Payer } from './stored-hold.ts';
import { watchPosts } from './watched-posts.ts';

/** Quota that a payer could reserve now, in quota units. */
export interface Free {
  readonly user: number;
  /** Infinite for an unlimited token. */
  readonly token: number;
  /** Of the hard budget that has least; infinite without one. */
  readonly budget: number;
  /** The period of that budget; 0: none. */
  readonly periodId: number;
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
  /**
   * Whether a whole answer that costs at most `amount` need not wait for its hold: no other process spends the balances, or
   * they have so much to spare that others will hardly have spent it by then, and the database answers. Call `ready` first.
   */
  mayDefer(payer: Payer, amount: number): boolean;
  /** Sets `amount` aside, or answers null when it is not free. Call `ready` first. */
  reserve(request: { readonly requestId: string; readonly payer: Payer; readonly amount: number }): Reservation | null;
  /** Quota units that calls of a period of a budget have reserved and not yet in a durable hold. */
  reservedIn(periodId: number): number;
  /** Requests whose end the database did not take: their holds are left to the reconciliation. */
  readonly leftHolds: Set<string>;
  /** Any balance may have changed: each is read before its next use. */
  invalidate(): void;
  close(): void;
}

export interface AccountsDeps {
  readonly db: Pick<Database, 'kind' | 'post'>;
  readonly changes: Pick<Changes, 'subscribe'>;
  /** Receives the errors of postings that no caller awaits. */
  onError(error: unknown): void;
  /** Absent: real time. */
  readonly timers?: EventLoopTimers;
}

/**
 * So many times what a request and this process have set aside must be free: other nodes may have set aside more, which is not
 * known here, and what they spend first would be missing for the charge.
 */
const spare = { ofRequest: 100, ofProcess: 8 } as const;

const hasSpare = (cached: CachedBalance, amount: number): boolean =>
  freeOf(cached) >= Math.max(spare.ofRequest * amount, spare.ofProcess * cached.reserved);

/** More than a node opens while the database is away; beyond, the next start ends them. */
const leftHoldsMax = 100_000;

/** Cached balances of users, tokens and periods of budgets. */
const createCaches = (db: Pick<Database, 'post'>) => {
  const users = createBalanceCache(async (userId) => (await db.post({ kind: 'look', userId, tokenId: 0 })).user);
  const tokens = createBalanceCache(async (tokenId) => (await db.post({ kind: 'look', userId: 0, tokenId })).token);
  const periods = createBalanceCache(async (id) => {
    const budgets = namePeriods([{ id, isHard: true }]);
    return (await db.post({ kind: 'look', userId: 0, tokenId: 0, budgets })).budgets?.[0];
  });
  const ready = (payer: Payer): Promise<void> | null => {
    const { userId, tokenId, tokenLimited, budgets } = payer;
    const user = users.ready(userId);
    const token = tokenLimited ? tokens.ready(tokenId) : null;
    const reading: Promise<void>[] = [];
    for (const each of [user, token]) if (each !== null) reading.push(each);
    for (const { id } of periodsNamed(budgets)) {
      const period = periods.ready(id);
      if (period !== null) reading.push(period);
    }
    // While one was read another may have changed.
    return reading.length === 0 ? null : Promise.all(reading).then(() => ready(payer) ?? undefined);
  };
  const present = (cached: CachedBalance | undefined): CachedBalance => {
    if (cached === undefined) throw new Error('The balance is not in memory: call ready first');
    return cached;
  };
  return {
    users,
    tokens,
    periods,
    ready,
    reload: async (payer: Payer): Promise<void> => {
      const { userId, tokenId, tokenLimited, budgets } = payer;
      const counted = periodsNamed(budgets).map(({ id }) => periods.reload(id));
      await Promise.all([users.reload(userId), tokenLimited ? tokens.reload(tokenId) : null, ...counted]);
      // What changed during the read may be missing from it, and the caller may refuse by it.
      await ready(payer);
    },
    of: ({ userId, tokenId, tokenLimited, budgets }: Payer): PayerBalances => ({
      user: present(users.get(userId)),
      token: tokenLimited ? present(tokens.get(tokenId)) : null,
      budgets: periodsNamed(budgets).map(({ id, isHard }) => ({ id, isHard, cached: present(periods.get(id)) })),
    }),
  };
};

/** The hard budget that has least, and what it has. */
const leastBudget = ({ budgets }: PayerBalances): Pick<Free, 'budget' | 'periodId'> => {
  let least = { budget: Infinity, periodId: 0 };
  for (const { id, cached, isHard } of budgets) {
    const free = freeOf(cached);
    if (isHard && free < least.budget) least = { budget: free, periodId: id };
  }
  return least;
};

export const createAccounts = ({ db, changes, onError, timers = systemTimers }: AccountsDeps): Accounts => {
  const posts = watchPosts(db, timers);
  const caches = createCaches(posts);
  const { users, tokens, periods } = caches;
  const deferredHolds = createDeferredHolds(timers);
  const leftHolds = new Set<string>();
  const noteLost = (posting: Posting): void => {
    if (endsRequest(posting) && leftHolds.size < leftHoldsMax) leftHolds.add(posting.requestId);
  };
  const unsubscribe = [
    changes.subscribe('user', ({ id }) => users.invalidate(Number(id))),
    changes.subscribe('token', ({ id }) => tokens.invalidate(Number(id))),
    changes.subscribe('period', ({ id }) => periods.invalidate(Number(id))),
    // Its amount may be another one now.
    changes.subscribe('budget', () => periods.invalidate(0)),
  ];

  return {
    ready: caches.ready,
    reload: caches.reload,
    free: (payer) => {
      const balances = caches.of(payer);
      const { user, token } = balances;
      return { user: freeOf(user), token: token === null ? Infinity : freeOf(token), ...leastBudget(balances) };
    },
    remain: (payer) => {
      const { token } = caches.of(payer);
      return token === null ? Infinity : token.balance.available + token.balance.held;
    },
    mayDefer: (payer, amount) => {
      if (db.kind === 'sqlite') return true;
      const { user, token, budgets } = caches.of(payer);
      return (
        posts.isSteady() &&
        hasSpare(user, amount) &&
        (token === null || hasSpare(token, amount)) &&
        budgets.every(({ cached, isHard }) => !isHard || hasSpare(cached, amount))
      );
    },
    reserve: ({ requestId, payer, amount }) => {
      const quota = new ReservedQuota(posts, caches.of(payer), noteLost);
      if (!quota.covers(amount)) return null;
      return createReservation({ db: posts, deferredHolds, requestId, payer, quota, amount, onError });
    },
    reservedIn: (periodId) => periods.get(periodId)?.reserved ?? 0,
    leftHolds,
    invalidate: () => {
      for (const cache of [users, tokens, periods]) cache.invalidate(0);
    },
    close: () => {
      deferredHolds.close();
      for (const end of unsubscribe) end();
    },
  };
};
