import type { Posting, PostingResult } from '../../ledger/postings.ts';
import type { Required } from './assumed-accounts.ts';

/** How long a batch decides how the next ones are written. */
const rememberedMs = 1000;

/** Quota that rows have used, by their ids. */
export type UsedAmounts = ReadonlyMap<number, number>;

/** What users have used. */
export interface Uses {
  /** By the batch. */
  readonly added: UsedAmounts;
  /** After it. */
  readonly now: UsedAmounts;
}

/** What the last batches showed of their rows. It decides how a batch is written, and never what. */
export interface RecentAccounts {
  /** An account had less than a batch at once needs: to try it costs a commit. */
  areTight(userIds: Iterable<number>): boolean;
  /** Another node charges the same accounts. */
  areShared(): boolean;
  noteWritten(uses: Uses): void;
  /** The batch was read. `required`: of one that could not be written at once. */
  noteRead(postings: readonly Posting[], results: readonly (PostingResult | undefined)[], required?: Required): void;
}

/** Whether an account or its key had less than was required. */
const isShort = (posting: Posting, result: PostingResult | undefined, { users, tokens }: Required): boolean => {
  if (result === undefined || !('tokenId' in posting)) return false;
  const { user, token } = result;
  const ofToken = tokens.get(posting.tokenId);
  return (
    (user?.available ?? 0) < (users.get(posting.userId) ?? 0) ||
    (ofToken?.unlimited === false && (token?.available ?? 0) <= ofToken.least)
  );
};

const unused: UsedAmounts = new Map();

/** Whether rows of the batch before have used more than this batch added. */
const isShared = (before: UsedAmounts, { added, now }: Uses): boolean => {
  for (const [id, used] of now) {
    const earlier = before.get(id);
    if (earlier !== undefined && earlier + (added.get(id) ?? 0) !== used) return true;
  }
  return false;
};

export const createRecentAccounts = (now: () => number): RecentAccounts => {
  const tight = new Set<number>();
  let tightSince = 0;
  let sharedUntil = 0;
  let last = unused;
  return {
    areTight: (userIds) => {
      if (now() - tightSince > rememberedMs) tight.clear();
      if (tight.size > 0) for (const userId of userIds) if (tight.has(userId)) return true;
      return false;
    },
    areShared: () => now() < sharedUntil,
    noteWritten: (uses) => {
      if (isShared(last, uses)) sharedUntil = now() + rememberedMs;
      last = uses.now;
    },
    noteRead: (postings, results, required) => {
      last = unused;
      if (required === undefined) return;
      if (tight.size === 0) tightSince = now();
      const short = postings.filter((posting, index) => isShort(posting, results[index], required));
      // Without one, it was something else of any of them: a hold or a period of a budget that is gone.
      for (const posting of short.length > 0 ? short : postings) if ('userId' in posting) tight.add(posting.userId);
    },
  };
};
