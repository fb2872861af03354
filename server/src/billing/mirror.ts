import type { Balance } from '../store/ledger/postings.ts';

/** One account's balance as this process knows it. */
export interface Mirror {
  /** As of the last batch result. */
  balance: Balance;
  /** Reserved here and not yet in any durable hold. */
  reserved: number;
  /** Something outside this process's relay changed the account: look before the next use. */
  stale: boolean;
  /** Counts what made it stale. */
  changes: number;
}

/** Mirrors of one kind of account, loaded on first use. */
export interface Mirrors {
  get(id: number): Mirror | undefined;
  /** Null when the mirror is there and current; otherwise resolves once it was read. */
  ready(id: number): Promise<void> | null;
  /** Reads the account anew, and not before now; calls that wait for the same read share it. */
  reload(id: number): Promise<void>;
  /** 0: every account may have changed. */
  invalidate(id: number): void;
}

/** Accounts kept in memory; beyond this the idle ones are dropped, oldest first. */
const mirrorsMax = 100_000;
const nothing: Balance = { available: 0, held: 0, used: 0 };

/** What an account could reserve now. */
export const freeOf = ({ balance, reserved }: Mirror): number => Math.max(0, balance.available - reserved);

/** Takes over the balance of a batch result: results come in the order of their commits. */
export const applyBalance = (mirror: Mirror, balance: Balance | undefined): void => {
  if (balance !== undefined) mirror.balance = balance;
};

/** What is known of the account may be wrong by now. */
export const markStale = (mirror: Mirror): void => {
  mirror.stale = true;
  mirror.changes++;
};

/**
 * `look` must answer in the order of the postings: then a balance never counts a reservation twice, once as durable and
 * once as still in memory. It answers undefined for an account that does not exist: that counts as empty.
 */
export const createMirrors = (look: (id: number) => Promise<Balance | undefined>): Mirrors => {
  const mirrors = new Map<number, Mirror>();
  const loading = new Map<number, { readonly done: Promise<void>; readonly changes: number }>();
  const next = new Map<number, Promise<void>>();

  const dropIdle = () => {
    for (const [id, mirror] of mirrors) {
      if (mirrors.size < mirrorsMax) return;
      if (mirror.reserved === 0) mirrors.delete(id);
    }
  };
  const mirrorOf = (id: number): Mirror => {
    const known = mirrors.get(id);
    if (known !== undefined) return known;
    dropIdle();
    const mirror = { balance: nothing, reserved: 0, stale: true, changes: 0 };
    mirrors.set(id, mirror);
    return mirror;
  };
  const load = async (id: number, mirror: Mirror): Promise<void> => {
    const { changes } = mirror;
    mirror.balance = (await look(id)) ?? nothing;
    // What changed while it was read may not be in it, and a read that fails leaves the account to be read again.
    if (mirror.changes === changes) mirror.stale = false;
  };
  const start = (id: number): Promise<void> => {
    const mirror = mirrorOf(id);
    const done = load(id, mirror).finally(() => loading.delete(id));
    loading.set(id, { done, changes: mirror.changes });
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
    get: (id) => mirrors.get(id),
    reload,
    ready: (id) => {
      const mirror = mirrors.get(id);
      if (mirror?.stale === false) return null;
      const running = loading.get(id);
      return running?.changes === mirror?.changes && running !== undefined ? running.done : reload(id);
    },
    invalidate: (id) => {
      const changed = id === 0 ? mirrors.values() : [mirrors.get(id)];
      for (const mirror of changed) if (mirror !== undefined) markStale(mirror);
    },
  };
};
