import fc from 'fast-check';
import type { Posting } from '../../src/store/ledger/postings.ts';
import type { SimulatedAccounts } from './simulated-accounts.ts';

export const users = [1, 2];
/** Two tokens a user, the second unlimited. */
export const tokens = [1, 2, 3, 4].map((id) => ({
  id,
  user_id: id <= 2 ? 1 : 2,
  unlimited_quota: id % 2 === 0 ? 1 : 0,
}));
const requestsOf = (each: number) =>
  tokens.flatMap((token) =>
    Array.from({ length: each }, (_, index) => ({
      requestId: `t${token.id}r${index}`,
      userId: token.user_id,
      tokenId: token.id,
      tokenLimited: token.unlimited_quota === 0,
    })),
  );

/** Every request, to be ended. */
export const releasesOf = (each: number): readonly Posting[] =>
  requestsOf(each).map((call) => ({ kind: 'release', ...call }));

/** Stands for what is stored of a hold. */
const stored = -1;

/** Puts what a poster knows of its hold in its place; without the postings whose hold there never was. */
export const knowing = (batch: readonly Posting[], { holds }: SimulatedAccounts): readonly Posting[] => {
  const opened = new Set<string>();
  return batch.flatMap((posting) => {
    if (posting.kind === 'hold') opened.add(posting.requestId);
    if (!('held' in posting) || posting.held !== stored) return [posting];
    const { requestId } = posting;
    const held = holds.get(requestId)?.amount;
    return held === undefined && !opened.has(requestId) ? [] : [{ ...posting, held }];
  });
};

interface Drawn {
  /** Requests of each token. */
  readonly each: number;
  readonly amount: fc.Arbitrary<number>;
  /** What the requests of each token count against, in turn: all postings of a request name the same. */
  readonly budgets: readonly [string, ...string[]];
}

/**
 * Postings of requests, and looks at their accounts: some know what is held, some do not, and some are wrong. Pass batches
 * through `knowing`.
 */
export const requestPostings = ({ each, amount, budgets }: Drawn): fc.Arbitrary<Posting> => {
  const channelId = fc.integer({ min: 1, max: 2 });
  const held = fc.oneof({ weight: 40, arbitrary: fc.constant(stored) }, fc.constant(undefined), amount);
  const calls = requestsOf(each).map((one, index) => ({ ...one, budgets: budgets[index % budgets.length] ?? '' }));
  // Now and then a caller has not heard yet that its token became limited, or unlimited.
  const hasHeard = fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, fc.constant(false));
  const call = fc.record({ one: fc.constantFrom(...calls), heard: hasHeard }).map(({ one, heard }) => ({
    ...one,
    tokenLimited: one.tokenLimited === heard,
  }));
  const charge = fc.record({
    channelId,
    amount,
    priceVersion: fc.constant(1),
    estimated: fc.boolean(),
    at: fc.integer({ min: 1, max: 9 }),
    address: fc.constantFrom('192.0.2.1', '192.0.2.2'),
    log: fc.constant(null),
  });
  return fc.oneof(
    fc.record({ call, channelId, amount }).map(({ call: one, ...hold }): Posting => ({
      kind: 'hold',
      ...one,
      ...hold,
      priceVersion: 1,
      modelName: 'model',
      openedAt: 1,
    })),
    fc.record({ call, amount, held }).map(({ call: one, ...more }): Posting => ({ kind: 'extend', ...one, ...more })),
    fc
      .record({ call, progress: amount, held })
      .map(({ call: { requestId }, ...more }): Posting => ({ kind: 'progress', requestId, ...more })),
    fc
      .record({ call, charge, held })
      .map(({ call: one, charge: what, held: known }): Posting => ({ kind: 'settle', ...one, ...what, held: known })),
    fc
      .record({ call, charge, setAside: fc.option(amount, { nil: undefined }) })
      .map(({ call: one, charge: what, setAside }): Posting => ({
        kind: 'settle',
        ...one,
        ...what,
        requestId: `${one.requestId} without a hold`,
        unheld: true,
        setAside,
      })),
    fc.record({ call, held }).map(({ call: one, held: known }): Posting => ({ kind: 'release', ...one, held: known })),
    call.map(({ userId, tokenId, budgets: named }): Posting => ({ kind: 'look', userId, tokenId, budgets: named })),
  );
};
