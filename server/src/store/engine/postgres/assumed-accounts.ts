import type { tokenStatus } from '@weir/contract/tokens';
import type {
  AccountsState,
  NodeIdentity,
  PeriodAccount,
  TokenAccount,
  UserAccount,
} from '../../ledger/accounts-state.ts';
import { periodsNamed, type NamedPeriod } from '../../ledger/period-names.ts';
import type { ExtendPosting, HoldPosting, Posting, ReleasePosting, SettlePosting } from '../../ledger/postings.ts';
import type { HoldsTable } from '../../schema.ts';

/** Amounts above it are decided by the stored rows: sums of a batch stay exact, and far below what accounts are assumed to have. */
const amountMax = 2 ** 40;
/** What each account is assumed to have. */
export const assumedAmount = 2 ** 51;

/** What a stored token must be, and have available beyond `least` where it is limited. */
interface RequiredToken {
  readonly unlimited: boolean;
  least: number;
}

interface RequiredPeriod {
  /** False: it is only counted. */
  isHard: boolean;
  least: number;
}

/** A stored hold as the callers of its postings know it. */
interface RequiredHold {
  readonly amount: number;
  /** Undefined: the postings do not depend on it, as they move nothing. */
  limited?: boolean;
  budgets?: string;
}

/** What must be true of the stored rows for the assumption to be one. */
export interface Required {
  /** What each account must have available, by its id. */
  readonly users: ReadonlyMap<number, number>;
  readonly tokens: ReadonlyMap<number, Readonly<RequiredToken>>;
  readonly periods: ReadonlyMap<number, Readonly<RequiredPeriod>>;
  readonly holds: ReadonlyMap<string, Readonly<RequiredHold>>;
}

/** A batch of requests whose accounts have plenty, so that what it changes does not depend on how much. */
export interface Assumption {
  readonly state: AccountsState;
  readonly required: Required;
}

type OfAccount = HoldPosting | ExtendPosting | SettlePosting | ReleasePosting;

interface NamedToken {
  readonly userId: number;
  readonly tokenId: number;
  readonly unlimited: boolean;
}

/** The contract's value. */
const tokenEnabled: typeof tokenStatus.enabled = 1;

/** The accounts of a batch, and what they must have. */
class AssumedAccounts {
  readonly required = {
    users: new Map<number, number>(),
    tokens: new Map<number, RequiredToken>(),
    periods: new Map<number, RequiredPeriod>(),
  };
  readonly users = new Map<number, UserAccount>();
  readonly tokens = new Map<number, TokenAccount>();
  readonly periods = new Map<number, PeriodAccount>();

  /** The accounts of a posting must have `amount` more than was taken before. */
  take({ userId, tokenId, tokenLimited, budgets }: OfAccount, amount: number): boolean {
    if (amount > amountMax) return false;
    const { users } = this.required;
    const least = users.get(userId);
    if (least === undefined) {
      this.users.set(userId, { id: userId, available: assumedAmount, held: assumedAmount, used: 0, request_count: 0 });
    }
    users.set(userId, (least ?? 0) + amount);
    if (tokenId !== 0) this.takeOfToken({ userId, tokenId, unlimited: !tokenLimited }, amount);
    for (const period of periodsNamed(budgets)) this.takeOfPeriod(period, amount);
    return true;
  }

  private takeOfPeriod({ id, isHard }: NamedPeriod, amount: number): void {
    const { periods } = this.required;
    const period = periods.get(id) ?? { isHard: false, least: 0 };
    period.isHard ||= isHard;
    period.least += amount;
    periods.set(id, period);
    if (!this.periods.has(id)) this.periods.set(id, { id, granted: assumedAmount, held: 0, used: 0 });
  }

  private takeOfToken({ userId, tokenId, unlimited }: NamedToken, amount: number): void {
    const { tokens } = this.required;
    const required = tokens.get(tokenId) ?? { unlimited, least: 0 };
    required.least += amount;
    tokens.set(tokenId, required);
    if (!this.tokens.has(tokenId)) {
      this.tokens.set(tokenId, {
        id: tokenId,
        user_id: userId,
        available: assumedAmount,
        held: assumedAmount,
        used: 0,
        status: tokenEnabled,
        unlimited_quota: unlimited ? 1 : 0,
        accessed_time: 0,
        last_address: '',
      });
    }
  }
}

const emptyHold: Omit<HoldsTable, 'request_id' | 'amount'> = {
  user_id: 0,
  token_id: 0,
  channel_id: 0,
  token_limited: 0,
  price_version: 0,
  model_name: '',
  node: '',
  epoch: 0,
  opened_at: 0,
  progress: 0,
  budgets: '',
};

/** The holds of a batch. */
class AssumedHolds {
  readonly required = new Map<string, RequiredHold>();
  readonly stored = new Map<string, HoldsTable>();
  /** Of requests that were named: the amount of their hold at first; null: it has ended. */
  private readonly amounts = new Map<string, number | null>();

  /** False: the request was named before. */
  open(requestId: string, amount: number): boolean {
    if (this.amounts.has(requestId)) return false;
    this.amounts.set(requestId, amount);
    return true;
  }

  /** At least so much the request holds; undefined: it is not known. */
  amountOf(requestId: string, held: number | undefined): number | undefined {
    const known = this.amounts.get(requestId);
    if (known !== undefined) return known ?? undefined;
    if (held === undefined || held > amountMax) return undefined;
    this.amounts.set(requestId, held);
    this.required.set(requestId, { amount: held });
    this.stored.set(requestId, { ...emptyHold, request_id: requestId, amount: held });
    return held;
  }

  /** Notes the accounts that the hold is on, if it is a stored one. */
  noteAccounts({ requestId, userId, tokenId, tokenLimited, budgets = '' }: OfAccount): void {
    const required = this.required.get(requestId);
    const hold = this.stored.get(requestId);
    if (required === undefined || hold === undefined) return;
    required.limited = tokenLimited;
    required.budgets = budgets;
    const accounts = { user_id: userId, token_id: tokenId, token_limited: tokenLimited ? 1 : 0, budgets };
    this.stored.set(requestId, { ...hold, ...accounts });
  }

  /** False for a hold of this batch: it is not written where it ends in it, so one that is stored already would not show. */
  end(requestId: string): boolean {
    this.amounts.set(requestId, null);
    return this.required.has(requestId);
  }
}

/** Collects what a batch assumes, posting by posting. */
class Assumed implements Assumption {
  readonly required: Required;
  readonly state: AccountsState;
  private readonly accounts = new AssumedAccounts();
  private readonly holds = new AssumedHolds();

  constructor(identity: NodeIdentity) {
    const { accounts, holds } = this;
    this.required = { ...accounts.required, holds: holds.required };
    const { users, tokens, periods } = accounts;
    const unused = { codes: new Map(), allocated: new Map(), done: new Map() };
    this.state = { ...identity, users, tokens, periods, holds: holds.stored, ...unused };
  }

  /** False: the stored rows have to be read. */
  add(posting: Posting): boolean {
    const { accounts, holds } = this;
    switch (posting.kind) {
      case 'hold':
        return holds.open(posting.requestId, posting.amount) && accounts.take(posting, posting.amount);
      case 'extend':
        return this.extend(posting);
      case 'progress':
        return holds.amountOf(posting.requestId, posting.held) !== undefined;
      case 'settle':
        return this.settle(posting);
      case 'release':
        return this.end(posting, 0);
      case 'look':
        // It is read behind the batch.
        return true;
      case 'credit':
      case 'allocate':
      case 'redeem':
        return false;
    }
  }

  private extend(posting: ExtendPosting): boolean {
    const held = this.holds.amountOf(posting.requestId, posting.held);
    if (held === undefined) return false;
    this.holds.noteAccounts(posting);
    return this.accounts.take(posting, Math.max(0, posting.amount - held));
  }

  private settle(posting: SettlePosting): boolean {
    // What was recovered meanwhile, and by whom, only the ledger knows.
    if (posting.reason !== undefined && posting.reason !== '') return false;
    return posting.unheld === true ? this.accounts.take(posting, posting.amount) : this.end(posting, posting.amount);
  }

  private end(posting: SettlePosting | ReleasePosting, amount: number): boolean {
    const held = this.holds.amountOf(posting.requestId, posting.held);
    if (held === undefined) return false;
    this.holds.noteAccounts(posting);
    return this.holds.end(posting.requestId) && this.accounts.take(posting, Math.max(0, amount - held));
  }
}

/**
 * What a batch assumes of the accounts it concerns, where its postings say enough to apply them without a read. Undefined:
 * they do not.
 */
export const assumeFor = (postings: readonly Posting[], identity: NodeIdentity): Assumption | undefined => {
  const assumed = new Assumed(identity);
  for (const posting of postings) if (!assumed.add(posting)) return undefined;
  return assumed.required.users.size === 0 ? undefined : assumed;
};
