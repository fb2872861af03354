import type { Balance, Posting, PostingResult } from '../../ledger/postings.ts';
import type { Required } from './assumed-accounts.ts';

/** How long an account is treated by what a batch showed of it. */
const rememberedMs = 1000;

/** Accounts by their ids, forgotten together. */
const createSet = (now: () => number) => {
  const users = new Set<number>();
  let since = 0;
  return {
    add: (userId: number) => {
      if (users.size === 0) since = now();
      users.add(userId);
    },
    hasAny: (userIds: Iterable<number>): boolean => {
      if (users.size > 0 && now() - since > rememberedMs) users.clear();
      if (users.size === 0) return false;
      for (const userId of userIds) if (users.has(userId)) return true;
      return false;
    },
  };
};

/** What was written of a batch at once. */
export interface WrittenAccounts {
  /** What the batch charged each account, by its id. */
  readonly charged: ReadonlyMap<number, number>;
  readonly balances: ReadonlyMap<number, Balance>;
}

/** What the last batches showed of their accounts. It decides how a batch is written, and never what. */
export interface RecentAccounts {
  /** An account had less than a batch at once needs: to try it costs a commit. */
  areTight(userIds: Iterable<number>): boolean;
  /** Another node charges an account of the batch too. */
  areShared(userIds: Iterable<number>): boolean;
  noteWritten(written: WrittenAccounts): void;
  /** The batch could not be written at once, and was read. */
  noteRead(postings: readonly Posting[], results: readonly (PostingResult | undefined)[], required: Required): void;
}

/** Whether an account or its key had less than was required. */
const isShort = (posting: Posting, { user, token }: PostingResult, { users, tokens }: Required): boolean => {
  if (!('tokenId' in posting)) return false;
  const ofToken = tokens.get(posting.tokenId);
  return (
    (user?.available ?? 0) < (users.get(posting.userId) ?? 0) ||
    (ofToken?.unlimited === false && (token?.available ?? 0) <= ofToken.least)
  );
};

export const createRecentAccounts = (now: () => number): RecentAccounts => {
  const tight = createSet(now);
  const shared = createSet(now);
  /** What accounts had used after the last batch. */
  let used: ReadonlyMap<number, number> = new Map();
  return {
    areTight: tight.hasAny,
    areShared: shared.hasAny,
    noteWritten: ({ charged, balances }) => {
      for (const [id, balance] of balances) {
        const before = used.get(id);
        if (before !== undefined && before + (charged.get(id) ?? 0) !== balance.used) shared.add(id);
      }
      used = new Map(Array.from(balances, ([id, balance]) => [id, balance.used]));
    },
    noteRead: (postings, results, required) => {
      used = new Map();
      for (const [index, posting] of postings.entries()) {
        const result = results[index];
        if (result !== undefined && 'userId' in posting && isShort(posting, result, required))
          tight.add(posting.userId);
      }
    },
  };
};
