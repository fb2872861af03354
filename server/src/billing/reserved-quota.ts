import type { Database } from '../store/database.ts';
import { endsRequest, type Posting, type PostingResult } from '../store/ledger/postings.ts';
import { applyBalance, freeOf, markStale, type CachedBalance } from './cached-balance.ts';

/** A period of a budget that a call counts against. */
export interface CountedPeriod {
  readonly id: number;
  readonly cached: CachedBalance;
  /** Calls beyond it are refused. */
  readonly isHard: boolean;
}

/** The cached balances that a call is paid from. */
export interface PayerBalances {
  readonly user: CachedBalance;
  /** Null: the token is unlimited. */
  readonly token: CachedBalance | null;
  /** In the order in which postings name them. */
  readonly budgets: readonly CountedPeriod[];
}

/** Quota of one request that no batch result includes yet: it stays reserved on the cached balances until one does. */
export class ReservedQuota {
  /** Quota units, changed here alone. */
  amount = 0;
  private readonly db: Pick<Database, 'post'>;
  private readonly balances: PayerBalances;
  private readonly onLost: (posting: Posting) => void;

  /** `onLost`: whether a posting was done is not known. */
  constructor(db: Pick<Database, 'post'>, balances: PayerBalances, onLost: (posting: Posting) => void) {
    this.db = db;
    this.balances = balances;
    this.onLost = onLost;
  }

  /** Whether `by` more is free on every cached balance that limits. */
  covers(by: number): boolean {
    const { user, token, budgets } = this.balances;
    return (
      freeOf(user) >= by &&
      (token === null || freeOf(token) >= by) &&
      budgets.every(({ cached, isHard }) => !isHard || freeOf(cached) >= by)
    );
  }

  reserve(by: number): void {
    this.amount += by;
    const { user, token, budgets } = this.balances;
    user.reserved += by;
    if (token !== null) token.reserved += by;
    for (const { cached } of budgets) cached.reserved += by;
  }

  drop(by: number): void {
    this.reserve(-Math.min(by, this.amount));
  }

  /**
   * Posts, and copies the balances of the result: they include what `stoodFor` returns, which was reserved in memory.
   * Where it fails, what ends the request stands for all of it.
   */
  async post(posting: Posting, stoodFor: (result: PostingResult) => number): Promise<PostingResult> {
    const { user, token, budgets } = this.balances;
    try {
      const result = await this.db.post(posting);
      this.drop(stoodFor(result));
      applyBalance(user, result.user);
      if (token !== null) applyBalance(token, result.token);
      for (const [index, { cached }] of budgets.entries()) applyBalance(cached, result.budgets?.[index]);
      return result;
    } catch (error) {
      this.onLost(posting);
      if (endsRequest(posting)) this.drop(this.amount);
      // Whether it was done is unknown: the next use reads the balance anew.
      markStale(user);
      if (token !== null) markStale(token);
      for (const { cached } of budgets) markStale(cached);
      throw error;
    }
  }
}
