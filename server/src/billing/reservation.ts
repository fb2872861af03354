import type { Database } from '../store/database.ts';
import type { NewLog } from '../store/logs/log-columns.ts';
import type { Posting, PostingResult } from '../store/ledger/postings.ts';
import type { DeferredHold, DeferredHolds } from './deferred-holds.ts';
import { applyBalance, freeOf, markStale, type CachedBalance } from './cached-balance.ts';

/** What pays: the account, and the token too where it has an allocation of its own. */
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
   * complete.
   */
  deferHold(details: HoldDetails): void;
  /** Reserves `by` more. False at once when the balance does not cover it. Rejects when the database is unavailable. */
  extend(by: number): Promise<boolean>;
  /**
   * Checkpoint for a crash: the price of what reached the client so far. Resolves when it is written, or could not be.
   */
  progress(amount: number): Promise<void>;
  /** Charges, durably once it resolves. Null: the reservation had ended before. */
  settle(charge: Charge): Promise<PostingResult | null>;
  release(): Promise<void>;
}

export interface ReservationOptions {
  readonly db: Pick<Database, 'post'>;
  readonly deferredHolds: DeferredHolds;
  readonly requestId: string;
  readonly payer: Payer;
  readonly user: CachedBalance;
  /** Null: the token is unlimited. */
  readonly token: CachedBalance | null;
  readonly amount: number;
  /** Receives the errors of postings that no caller awaits. */
  onError(error: unknown): void;
}

/** States: open in memory, durable, ended. */
class CachedReservation implements Reservation, DeferredHold {
  waits: DeferredHold['waits'] = null;
  private reserved: number;
  /** Quota that no batch result includes yet: it stays reserved on the cached balances until one does. */
  private inMemory = 0;
  private extensions = 0;
  private posted = false;
  private ended = false;
  /** Of a deferred hold, or of one whose amount is still 0. */
  private details: HoldDetails | null = null;
  private readonly options: ReservationOptions;

  constructor(options: ReservationOptions) {
    this.options = options;
    this.reserved = options.amount;
    this.reserve(options.amount);
  }

  amount(): number {
    return this.reserved;
  }

  history(): HoldHistory {
    return { reserved: this.options.amount, extensions: this.extensions };
  }

  isEnded(): boolean {
    return this.ended;
  }

  deferHold(details: HoldDetails): void {
    this.details = details;
    if (this.reserved > 0) this.options.deferredHolds.add(this);
  }

  write(): void {
    // Where this fails, or the balance was lowered meanwhile, the request goes on: it is settled before its answer is
    // sent, and until then its quota stays reserved in memory.
    const { details, reserved } = this;
    if (details !== null) this.postHold(details, { amount: reserved, given: 0 }).catch(this.options.onError);
  }

  async hold(details: HoldDetails): Promise<boolean> {
    if (this.posted || this.ended) return !this.ended;
    if (this.reserved === 0) {
      this.details = details;
      return true;
    }
    try {
      const kept = await this.postHold(details, { amount: this.reserved, given: this.reserved });
      if (!kept) this.end();
      return kept;
    } catch (error) {
      // The hold may have been written although its result was lost: release it, so that the caller need not.
      this.release().catch(this.options.onError);
      throw error;
    }
  }

  /** Where the hold is refused, `given` of `amount` becomes free again. */
  private async postHold(
    details: HoldDetails,
    { amount, given }: { readonly amount: number; readonly given: number },
  ): Promise<boolean> {
    this.posted = true;
    const { channelId, priceVersion, modelName, openedAt } = details;
    const { requestId, payer, deferredHolds } = this.options;
    deferredHolds.remove(this);
    const { outcome } = await this.post(
      { kind: 'hold', requestId, ...payer, channelId, amount, priceVersion, modelName, openedAt },
      ({ outcome: decided }) => (decided === 'refused' ? given : amount),
    );
    return outcome !== 'refused';
  }

  async extend(by: number): Promise<boolean> {
    const { requestId, payer, user, token } = this.options;
    if (this.ended || freeOf(user) < by || (token !== null && freeOf(token) < by)) return false;
    this.reserve(by);
    if (this.posted) {
      const { outcome } = await this.post({ kind: 'extend', requestId, ...payer, amount: by }, () => by);
      if (outcome !== 'done') return false;
    } else if (
      this.details !== null &&
      !(await this.postHold(this.details, { amount: this.reserved + by, given: by }))
    ) {
      // An operator may have lowered the balance while the hold was in memory: from here on the database decides.
      return false;
    }
    this.reserved += by;
    this.extensions++;
    return true;
  }

  async progress(progress: number): Promise<void> {
    const { db, requestId, onError } = this.options;
    if (this.posted && !this.ended) await db.post({ kind: 'progress', requestId, progress }).catch(onError);
  }

  async settle({ amount, channelId, priceVersion, estimated, at, log }: Charge): Promise<PostingResult | null> {
    if (this.ended) return null;
    this.end();
    const { requestId, payer } = this.options;
    try {
      const unheld = !this.posted;
      return await this.post(
        { kind: 'settle', requestId, ...payer, channelId, amount, priceVersion, estimated, at, log, unheld },
        () => this.inMemory,
      );
    } finally {
      this.drop(this.inMemory);
    }
  }

  async release(): Promise<void> {
    if (this.ended) return;
    this.end();
    const { requestId, payer } = this.options;
    try {
      if (this.posted) await this.post({ kind: 'release', requestId, ...payer }, () => 0);
    } finally {
      this.drop(this.inMemory);
    }
  }

  /**
   * Posts, and copies the balances of the result: they include what `stoodFor` returns, which was reserved in memory.
   */
  private async post(posting: Posting, stoodFor: (result: PostingResult) => number): Promise<PostingResult> {
    const { db, user, token } = this.options;
    try {
      const result = await db.post(posting);
      this.drop(stoodFor(result));
      applyBalance(user, result.user);
      if (token !== null) applyBalance(token, result.token);
      return result;
    } catch (error) {
      // Whether it was done is unknown: the next use reads the balance anew.
      markStale(user);
      if (token !== null) markStale(token);
      throw error;
    }
  }

  private end(): void {
    this.ended = true;
    this.options.deferredHolds.remove(this);
  }

  private reserve(by: number): void {
    const { user, token } = this.options;
    this.inMemory += by;
    user.reserved += by;
    if (token !== null) token.reserved += by;
  }

  private drop(by: number): void {
    this.reserve(-Math.min(by, this.inMemory));
  }
}

/** The amount must be free on every cached balance: the caller checked it in the same tick of the event loop. */
export const createReservation = (options: ReservationOptions): Reservation => new CachedReservation(options);
