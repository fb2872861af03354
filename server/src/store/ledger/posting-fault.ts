import type { Posting } from './postings.ts';

const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

const amountsOf = (posting: Posting): readonly (number | undefined)[] => {
  switch (posting.kind) {
    case 'hold':
    case 'extend':
      return [posting.amount];
    case 'settle':
      return [posting.amount, posting.setAside];
    case 'progress':
      return [posting.progress];
    case 'allocate':
      return [posting.total, posting.remain, posting.usedSeen];
    case 'credit':
      return [Math.abs(posting.amount)];
    case 'release':
    case 'redeem':
    case 'look':
      return [];
  }
};

/**
 * The fault of an amount that is not an exact, non-negative integer: an error of the caller that must not reach money.
 */
export const postingFault = (posting: Posting): RangeError | undefined => {
  for (const amount of amountsOf(posting)) {
    if (amount !== undefined && !isAmount(amount)) {
      return new RangeError(`A ${posting.kind} cannot move ${amount} quota units`);
    }
  }
  return undefined;
};
