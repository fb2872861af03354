import type { Database } from '../store/database.ts';
import type { NewLog } from '../store/logs/log-columns.ts';
import type { PostingResult } from '../store/ledger/postings.ts';
import { StoredHold, type HoldDetails, type StoredHoldOptions } from './stored-hold.ts';

export interface Charge {
  /** Quota units. */
  readonly amount: number;
  readonly channelId: number;
  readonly priceVersion: number;
  readonly estimated: boolean;
  /** Unix seconds. */
  readonly at: number;
  /** Where the call came from; absent or empty: not known. */
  readonly address?: string;
  readonly log: NewLog | null;
}

/** How the money of a request was set aside. */
export interface HoldHistory {
  /** Quota units at first. */
  readonly reserved: number;
  /** How often it was extended. */
  readonly extensions: number;
}

/**
 * Money set aside for one request. In memory it counts at once; `hold` makes it durable; exactly one of `settle` and
 * `release` ends it, and every later call of either does nothing.
 */
export interface Reservation {
  /** Quota units set aside by now. */
  amount(): number;
  /** How the amount came about. */
  history(): HoldHistory;
  /** It was settled or released. */
  isEnded(): boolean;
  /**
   * False: another node spent the balance meanwhile. Rejects when the database is unavailable. Either way nothing is
   * reserved any more.
   */
  hold(details: HoldDetails): Promise<boolean>;
  /**
   * Makes the hold durable after a short delay, unless it has ended by then. For answers that are sent only when
   * complete: where other nodes spend the balance too, `settle` may be refused.
   */
  deferHold(details: HoldDetails): void;
  /** Reserves `by` more. False at once when the balance does not cover it. Rejects when the database is unavailable. */
  extend(by: number): Promise<boolean>;
  /**
   * Checkpoint for a crash: the price of what reached the client so far. Resolves when it is written, or could not be.
   */
  progress(amount: number): Promise<void>;
  /**
   * Charges, durably once it resolves. Null: the reservation had ended before. Refused where other nodes spent the balance
   * before a deferred hold was written: then nothing was charged, and the answer must not be sent.
   */
  settle(charge: Charge): Promise<PostingResult | null>;
  release(): Promise<void>;
}

export interface ReservationOptions extends StoredHoldOptions {
  readonly db: Pick<Database, 'kind' | 'post'>;
  readonly amount: number;
}

/** What a request set aside, extended in memory first; ends once. Its hold is in `StoredHold`, its cached balances in `ReservedQuota`. */
class CachedReservation implements Reservation {
  private reserved: number;
  private extensions = 0;
  /** The database has not decided. */
  private deferred = false;
  private readonly stored: StoredHold;
  private readonly options: ReservationOptions;

  constructor(options: ReservationOptions) {
    this.options = options;
    this.stored = new StoredHold(options);
    this.reserved = options.amount;
    options.quota.reserve(options.amount);
  }

  amount(): number {
    return this.reserved;
  }

  history(): HoldHistory {
    return { reserved: this.options.amount, extensions: this.extensions };
  }

  isEnded(): boolean {
    return this.stored.ended;
  }

  deferHold(details: HoldDetails): void {
    this.deferred = true;
    this.stored.defer(details, this.reserved);
  }

  async hold(details: HoldDetails): Promise<boolean> {
    const { stored, reserved } = this;
    if (stored.ended) return false;
    if (reserved === 0 && !stored.posted) {
      stored.defer(details, 0);
      return true;
    }
    try {
      const kept = await (stored.decision ?? stored.post(details, { amount: reserved, given: reserved }));
      if (kept) this.deferred = false;
      else stored.endRefused();
      return kept;
    } catch (error) {
      // The hold may have been written although its result was lost: release it, so that the caller need not.
      this.release().catch(this.options.onError);
      throw error;
    }
  }

  async extend(by: number): Promise<boolean> {
    const { quota } = this.options;
    if (this.stored.ended || !quota.covers(by)) return false;
    quota.reserve(by);
    const storing = this.stored.extend(by);
    if (storing !== null && !(await storing)) return false;
    this.reserved += by;
    this.extensions++;
    return true;
  }

  async progress(progress: number): Promise<void> {
    const { db, requestId, onError } = this.options;
    if (this.stored.posted && !this.stored.ended) {
      await db.post({ kind: 'progress', requestId, held: this.stored.held(), progress }).catch(onError);
    }
  }

  settle(charge: Charge): Promise<PostingResult | null> {
    if (this.stored.ended) return Promise.resolve(null);
    this.stored.end();
    const { db, requestId, payer, quota } = this.options;
    // On SQLite no other process spends the balance: what is set aside in memory is decided.
    const isUndecided = this.deferred && this.reserved > 0 && db.kind === 'postgres';
    const setAside = isUndecided ? this.reserved : undefined;
    const held = this.stored.held();
    const unheld = held === undefined;
    return quota.post({ kind: 'settle', requestId, ...payer, ...charge, unheld, held, setAside }, () => quota.amount);
  }

  async release(): Promise<void> {
    if (this.stored.ended) return;
    this.stored.end();
    const { requestId, payer, quota } = this.options;
    const held = this.stored.held();
    if (held !== undefined) await quota.post({ kind: 'release', requestId, ...payer, held }, () => quota.amount);
    else quota.drop(quota.amount);
  }
}

/** The quota must cover the amount: the caller checked it in the same tick of the event loop. */
export const createReservation = (options: ReservationOptions): Reservation => new CachedReservation(options);
