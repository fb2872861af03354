import type { Balance } from '../store/ledger/postings.ts';

/** One account's balance as this process knows it. */
export interface CachedBalance {
  /** As of the last batch result. */
  balance: Balance;
  /** Reserved here and not yet in any durable hold. */
  reserved: number;
  /** Something outside this process's relay changed the account: read it before the next use. */
  stale: boolean;
  /** Counts what made it stale. */
  changes: number;
}

/** Cached balances of one kind of account, loaded on first use. */
export interface BalanceCache {
  get(id: number): CachedBalance | undefined;
  /** Null when the balance is cached and current; otherwise resolves once it was read. */
  ready(id: number): Promise<void> | null;
  /** Reads the account anew, and not before now; calls that wait for the same read share it. */
  reload(id: number): Promise<void>;
  /** 0: every account may have changed. */
  invalidate(id: number): void;
}

/** Accounts kept in memory; beyond this the idle ones are dropped, oldest first. */
const cachedMax = 100_000;
const nothing: Balance = { available: 0, held: 0, used: 0 };

/** Quota that an account could reserve now. */
export const freeOf = ({ balance, reserved }: CachedBalance): number => Math.max(0, balance.available - reserved);

/** Copies the balance of a batch result: results come in the order of their commits. */
export const applyBalance = (cached: CachedBalance, balance: Balance | undefined): void => {
  if (balance !== undefined) cached.balance = balance;
};

/** The cached balance may be outdated. */
export const markStale = (cached: CachedBalance): void => {
  cached.stale = true;
  cached.changes++;
};

/**
 * `look` must answer in the order of the postings: then a balance never counts a reservation twice, once as durable and
 * once as still in memory. It answers undefined for an account that does not exist: that counts as empty.
 */
export const createBalanceCache = (look: (id: number) => Promise<Balance | undefined>): BalanceCache => {
  const balances = new Map<number, CachedBalance>();
  const loading = new Map<number, { readonly done: Promise<void>; readonly changes: number }>();
  const next = new Map<number, Promise<void>>();

  const dropIdle = () => {
    for (const [id, cached] of balances) {
      if (balances.size < cachedMax) return;
      if (cached.reserved === 0) balances.delete(id);
    }
  };
  const cachedOf = (id: number): CachedBalance => {
    const known = balances.get(id);
    if (known !== undefined) return known;
    dropIdle();
    const cached = { balance: nothing, reserved: 0, stale: true, changes: 0 };
    balances.set(id, cached);
    return cached;
  };
  const load = async (id: number, cached: CachedBalance): Promise<void> => {
    const { changes } = cached;
    cached.balance = (await look(id)) ?? nothing;
    // A change during the read may be missing from it, and a read that fails leaves the account to be read again.
    if (cached.changes === changes) cached.stale = false;
  };
  const start = (id: number): Promise<void> => {
    const cached = cachedOf(id);
    const done = load(id, cached).finally(() => loading.delete(id));
    loading.set(id, { done, changes: cached.changes });
    return done;
  };
  const reload = (id: number): Promise<void> => {
    const running = loading.get(id);
    if (running === undefined) return start(id);
    const planned = next.get(id);
    if (planned !== undefined) return planned;
    const follow = () => {
      next.delete(id);
      return start(id);
    };
    const following = running.done.then(follow, follow);
    next.set(id, following);
    return following;
  };

  return {
    get: (id) => balances.get(id),
    reload,
    ready: (id) => {
      const cached = balances.get(id);
      if (cached?.stale === false) return null;
      const running = loading.get(id);
      return running?.changes === cached?.changes && running !== undefined ? running.done : reload(id);
    },
    invalidate: (id) => {
      const changed = id === 0 ? balances.values() : [balances.get(id)];
      for (const cached of changed) if (cached !== undefined) markStale(cached);
    },
  };
};
