import type { Database } from '../store/database.ts';
import type { NewLog, Posting, PostingResult } from '../store/postings.ts';
import { applyBalance, freeOf, type Mirror } from './mirror.ts';

/** Who pays: the account, and the token too where it has an allocation of its own. */
export interface Payer {
  readonly userId: number;
  readonly tokenId: number;
  readonly tokenLimited: boolean;
}

/** What the durable hold remembers of the request. */
export interface HoldDetails {
  readonly channelId: number;
  readonly priceVersion: number;
  readonly modelName: string;
  /** Unix seconds. */
  readonly openedAt: number;
  /** The answer comes in one piece: nothing reaches the client before it is settled. */
  readonly lazy: boolean;
}

export interface Charge {
  /** Quota units. */
  readonly amount: number;
  readonly channelId: number;
  readonly priceVersion: number;
  readonly estimated: boolean;
  /** Unix seconds. */
  readonly at: number;
  readonly log: NewLog | null;
}

/**
 * Money set aside for one request. In memory it counts at once; `hold` makes it durable; exactly one of `settle` and
 * `release` ends it, and every later call of either does nothing.
 */
export interface Reservation {
  /** Quota units set aside by now. */
  amount(): number;
  /** False: another node spent the balance meanwhile, nothing is set aside any more. Rejects when the database is gone. */
  hold(details: HoldDetails): Promise<boolean>;
  /** Sets `by` more aside. False at once when the balance does not cover it. Rejects when the database is gone. */
  extend(by: number): Promise<boolean>;
  /** Checkpoint for a crash: the price of what reached the client so far. */
  progress(amount: number): void;
  /** Charges, durably once it resolves. Null: the reservation had ended before. */
  settle(charge: Charge): Promise<PostingResult | null>;
  release(): Promise<void>;
}

export interface ReservationOptions {
  readonly db: Pick<Database, 'post'>;
  readonly requestId: string;
  readonly payer: Payer;
  readonly user: Mirror;
  /** Null: the token is unlimited. */
  readonly token: Mirror | null;
  readonly amount: number;
  /** Told of postings that failed where nobody waits for them. */
  onError(error: unknown): void;
}

/** Posts for one payer and takes the balances of every result over. */
const createPoster = ({ db, user, token }: ReservationOptions) => {
  const mirrors = token === null ? [user] : [user, token];
  const post = async (posting: Posting): Promise<PostingResult> => {
    try {
      const result = await db.post(posting);
      applyBalance(user, result.user);
      if (token !== null) applyBalance(token, result.token);
      return result;
    } catch (error) {
      // Whether it was done is unknown: the next use reads the balance anew.
      for (const mirror of mirrors) mirror.stale = true;
      throw error;
    }
  };
  /** What no balance of a batch result shows yet: it must stay reserved until one does. */
  let inMemory = 0;
  const reserve = (by: number) => {
    inMemory += by;
    for (const mirror of mirrors) mirror.reserved += by;
  };
  const drop = (by: number) => reserve(-Math.min(by, inMemory));
  return {
    post,
    reserve,
    drop,
    dropAll: () => drop(inMemory),
    covers: (amount: number) => mirrors.every((mirror) => freeOf(mirror) >= amount),
  };
};

/** The amount must be free on every mirror: the caller checked it in the same turn of the event loop. */
export const createReservation = (options: ReservationOptions): Reservation => {
  const { db, payer, requestId, onError } = options;
  const { post, reserve, drop, dropAll, covers } = createPoster(options);
  const base = { requestId, ...payer };
  let { amount } = options;
  let posted = false;
  let ended = false;

  /** Posts what ends the hold: nothing stays reserved once it is known, whatever became of it. */
  const end = async (posting: Posting): Promise<PostingResult> => {
    ended = true;
    try {
      return await post(posting);
    } finally {
      dropAll();
    }
  };
  reserve(amount);

  return {
    amount: () => amount,
    hold: async (details) => {
      if (posted || ended || amount === 0) return !ended;
      posted = true;
      const held = amount;
      const { outcome, user } = await post({ kind: 'hold', ...base, ...details, amount: held });
      // A lazy hold that its settlement overtook was never written, and shows in no balance.
      if (outcome === 'refused' || user !== undefined) drop(held);
      if (outcome === 'refused') ended = true;
      return outcome !== 'refused';
    },
    extend: async (by) => {
      if (ended || !covers(by)) return false;
      reserve(by);
      if (posted) {
        const { outcome } = await post({ kind: 'extend', ...base, amount: by });
        drop(by);
        if (outcome !== 'done') return false;
      }
      amount += by;
      return true;
    },
    progress: (progress) => {
      if (posted && !ended) db.post({ kind: 'progress', requestId, progress }).catch(onError);
    },
    settle: async (charge) => {
      if (ended) return null;
      return end({ kind: 'settle', ...base, ...charge });
    },
    release: async () => {
      if (ended) return;
      if (posted) {
        await end({ kind: 'release', ...base });
        return;
      }
      ended = true;
      dropAll();
    },
  };
};
