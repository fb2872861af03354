import type { Balance, Posting, PostingResult } from './postings.ts';
import type { AccountsState, PeriodAccount, RowChanges } from './accounts-state.ts';
import { allocate, credit, redeem } from './apply-credits.ts';
import { extend, hold, recordProgress, release, settle } from './apply-requests.ts';
import { periodsNamed } from './period-names.ts';
import { availableIn, changesOf, createWork, done, type Context, type Outcome } from './posting-work.ts';

const applyOne = (context: Context, posting: Posting): Outcome => {
  switch (posting.kind) {
    case 'hold':
      return hold(context, posting);
    case 'extend':
      return extend(context, posting);
    case 'progress':
      return recordProgress(context, posting.requestId, posting.progress);
    case 'settle':
      return settle(context, posting);
    case 'release':
      return release(context, posting);
    case 'credit':
      return credit(context, posting);
    case 'allocate':
      return allocate(context, posting);
    case 'redeem':
      return redeem(context, posting);
    case 'look':
      return done;
  }
};

/** Balances after a batch, by the ids of their accounts. */
export interface Balances {
  readonly users: { get(id: number): Balance | undefined };
  readonly tokens: { get(id: number): Balance | undefined };
  readonly periods: { get(id: number): Balance | undefined };
}

/** The balance of an account after the batch, one object however many results show it. */
const balancesOf = (accounts: { get(id: number): Balance | undefined }) => {
  const balances = new Map<number, Balance>();
  return (id: number): Balance | undefined => {
    const known = balances.get(id);
    const row = known === undefined ? accounts.get(id) : undefined;
    if (row === undefined) return known;
    const balance = { available: row.available, held: row.held, used: row.used };
    balances.set(id, balance);
    return balance;
  };
};

const balanceIn = (period: PeriodAccount | undefined): Balance | undefined =>
  period && { available: availableIn(period), held: period.held, used: period.used };

/** The outcome of each posting with the balances of the accounts that it names. */
export const resultsOf = (
  postings: readonly Posting[],
  outcomes: readonly Outcome[],
  { users, tokens, periods }: Balances,
): readonly PostingResult[] => {
  const userBalance = balancesOf(users);
  const tokenBalance = balancesOf(tokens);
  const periodBalance = balancesOf(periods);
  return outcomes.map((outcome, index): PostingResult => {
    const posting = postings[index];
    if (posting === undefined || posting.kind === 'progress') return outcome;
    const user = userBalance(posting.userId);
    const token = 'tokenId' in posting ? tokenBalance(posting.tokenId) : undefined;
    const named = 'budgets' in posting ? periodsNamed(posting.budgets) : [];
    const budgets = named.map(({ id }) => periodBalance(id));
    return { ...outcome, ...(user && { user }), ...(token && { token }), ...(budgets.length > 0 && { budgets }) };
  });
};

export interface Applied {
  /** In the order of the postings, with the balances after the whole batch. */
  readonly results: readonly PostingResult[];
  readonly changes: RowChanges;
}

/**
 * Whether a charge was refused: where its operation was not looked up, it may have been made before, and what it took
 * be what is missing now.
 */
export const refusesCharge = (postings: readonly Posting[], results: readonly PostingResult[]): boolean =>
  postings.some(({ kind }, index) => kind === 'settle' && results[index]?.outcome === 'refused');

/**
 * All the arithmetic of money: what a batch of postings does to the rows it concerns. Pure: it reads and changes
 * nothing else, so it can be simulated. Within the batch each posting sees what the ones before it did.
 */
export const changesBy = (state: AccountsState, postings: readonly Posting[]) => {
  const context = { state, work: createWork(state) };
  const outcomes: readonly Outcome[] = postings.map((posting) => applyOne(context, posting));
  const { users, tokens, periods } = context.work;
  const balances: Balances = { users, tokens, periods: { get: (id) => balanceIn(periods.get(id)) } };
  return { outcomes, balances, changes: changesOf(context) };
};

export const applyToAccounts = (state: AccountsState, postings: readonly Posting[]): Applied => {
  const { outcomes, balances, changes } = changesBy(state, postings);
  return { results: resultsOf(postings, outcomes, balances), changes };
};
