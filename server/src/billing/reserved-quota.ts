import type { Database } from '../store/database.ts';
import type { Posting, PostingResult } from '../store/ledger/postings.ts';
import { applyBalance, freeOf, markStale, type CachedBalance } from './cached-balance.ts';

/** Quota of one request that no batch result includes yet: it stays reserved on the cached balances until one does. */
export class ReservedQuota {
  /** Quota units, changed here alone. */
  amount = 0;
  private readonly db: Pick<Database, 'post'>;
  private readonly user: CachedBalance;
  private readonly token: CachedBalance | null;

  /** @param token null: the token is unlimited */
  constructor(db: Pick<Database, 'post'>, user: CachedBalance, token: CachedBalance | null) {
    this.db = db;
    this.user = user;
    this.token = token;
  }

  /** Whether `by` more is free on every cached balance. */
  covers(by: number): boolean {
    return freeOf(this.user) >= by && (this.token === null || freeOf(this.token) >= by);
  }

  reserve(by: number): void {
    this.amount += by;
    this.user.reserved += by;
    if (this.token !== null) this.token.reserved += by;
  }

  drop(by: number): void {
    this.reserve(-Math.min(by, this.amount));
  }

  /**
   * Posts, and copies the balances of the result: they include what `stoodFor` returns, which was reserved in memory.
   */
  async post(posting: Posting, stoodFor: (result: PostingResult) => number): Promise<PostingResult> {
    const { db, user, token } = this;
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
}
