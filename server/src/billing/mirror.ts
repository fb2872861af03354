import type { Balance } from '../store/postings.ts';

/** One account's balance as this process knows it. */
export interface Mirror {
  /** As of the last batch result or load. */
  balance: Balance;
  /** Reserved here and not yet in any durable hold. */
  reserved: number;
  /** Counts the batch results that were applied. */
  version: number;
  /** Something outside this process's relay changed the account: load before the next use. */
  stale: boolean;
}

/** Mirrors of one kind of account, loaded on first use. */
export interface Mirrors {
  get(id: number): Mirror | undefined;
  /** Null when the mirror is there and current; otherwise resolves once it is. */
  ready(id: number): Promise<void> | null;
  /** Reads the account anew now; concurrent calls share one read. */
  reload(id: number): Promise<void>;
  /** 0: every account may have changed. */
  invalidate(id: number): void;
}

/** Accounts kept in memory; beyond this the idle ones are dropped, oldest first. */
const mirrorsMax = 100_000;
const loadTries = 3;
const nothing: Balance = { available: 0, held: 0, used: 0 };

/** What an account could reserve now. */
export const freeOf = (mirror: Mirror): number => mirror.balance.available - mirror.reserved;

/** Takes over the balance of a batch result: always newer than any load that was started before it. */
export const applyBalance = (mirror: Mirror, balance: Balance | undefined): void => {
  if (balance === undefined) return;
  mirror.balance = balance;
  mirror.version++;
};

/** `read` answers undefined for an account that does not exist: it counts as empty. */
export const createMirrors = (read: (id: number) => Promise<Balance | undefined>): Mirrors => {
  const mirrors = new Map<number, Mirror>();
  const loading = new Map<number, Promise<void>>();
  const again = new Set<number>();

  const dropIdle = () => {
    for (const [id, mirror] of mirrors) {
      if (mirrors.size < mirrorsMax) return;
      if (mirror.reserved === 0) mirrors.delete(id);
    }
  };
  /** What was read is dropped for any batch result that came meanwhile, and read again since that may be older. */
  const load = async (id: number, tries = loadTries): Promise<void> => {
    const known = mirrors.get(id);
    const version = known?.version;
    if (known !== undefined) known.stale = false;
    const balance = (await read(id)) ?? nothing;
    const mirror = mirrors.get(id);
    if (mirror === undefined) {
      dropIdle();
      mirrors.set(id, { balance, reserved: 0, version: 0, stale: false });
    } else if (mirror.version === version) {
      mirror.balance = balance;
    } else if (tries > 1) {
      await load(id, tries - 1);
    }
  };
  /** A change that is told while a load runs may be newer than what it reads: then it runs once more. */
  const loadLatest = async (id: number): Promise<void> => {
    do {
      again.delete(id);
      await load(id);
    } while (again.has(id));
  };
  const reload = (id: number): Promise<void> => {
    const running = loading.get(id);
    if (running !== undefined) return running;
    const started = loadLatest(id).finally(() => loading.delete(id));
    loading.set(id, started);
    return started;
  };

  return {
    get: (id) => mirrors.get(id),
    reload,
    ready: (id) => {
      const mirror = mirrors.get(id);
      return mirror === undefined || mirror.stale ? reload(id) : null;
    },
    invalidate: (id) => {
      for (const loaded of id === 0 ? loading.keys() : [id]) if (loading.has(loaded)) again.add(loaded);
      const changed = id === 0 ? mirrors.values() : [mirrors.get(id)];
      for (const mirror of changed) if (mirror !== undefined) mirror.stale = true;
    },
  };
};
