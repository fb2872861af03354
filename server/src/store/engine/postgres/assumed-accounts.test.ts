import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addChannel, addToken, addUser } from '../../../../test/database/accounts.ts';
import { openTestDatabase, testDatabaseKind } from '../../../../test/database/database.ts';
import { knowing, requestPostings, tokens, users } from '../../../../test/simulator/request-postings.ts';
import { simulateAccounts } from '../../../../test/simulator/simulated-accounts.ts';
import type { Posting, SettlePosting } from '../../ledger/postings.ts';
import { changesBy } from '../../ledger/apply-to-accounts.ts';
import { assumeFor } from './assumed-accounts.ts';
import { gainingRows } from './post-at-once.ts';

/** A hard budget and one that is counted; a third is gone. */
const periods = [
  { id: 1, granted: 120, held: 0, used: 0 },
  { id: 2, granted: 40, held: 0, used: 0 },
];
const postings = requestPostings({ each: 8, amount: fc.nat(40), budgets: ['', '1', '1,~2', '~2', '~3'] });
const batches = fc.array(fc.array(postings, { minLength: 1, maxLength: 6 }), { minLength: 10, maxLength: 30 });

const granted = 300;
const allocated = 200;
const grants = users.map((userId): Posting => ({
  kind: 'credit',
  opKey: `grant ${userId}`,
  entry: 'grant',
  userId,
  amount: granted,
  actorId: 0,
  reason: '',
  at: 1,
  log: null,
}));
const allocations = tokens.map(({ id, user_id, unlimited_quota }): Posting => ({
  kind: 'allocate',
  opKey: `allocate ${id}`,
  tokenId: id,
  userId: user_id,
  remain: allocated,
  unlimited: unlimited_quota === 1,
  actorId: 0,
  at: 1,
}));

const createAccounts = () => {
  const nothing = { available: 0, held: 0, used: 0 };
  const accounts = simulateAccounts({
    periods,
    codes: [],
    users: users.map((id) => ({ id, ...nothing, request_count: 0 })),
    tokens: tokens.map((token) => ({ ...token, ...nothing, accessed_time: 0, last_address: '', status: 1 })),
  });
  accounts.post([...grants, ...allocations]);
  return accounts;
};

test('M16 a batch that is written without a read changes what one changes that is read, until accounts run low', () => {
  const counts = { atOnce: 0, batches: 0 };
  fc.assert(
    fc.property(batches, (sequence) => {
      const accounts = createAccounts();
      for (const batch of sequence) accounts.post(knowing(batch, accounts));
      counts.atOnce += accounts.counts.atOnce;
      counts.batches += accounts.counts.batches;
    }),
    { numRuns: 1500 },
  );
  const part = counts.atOnce / counts.batches;
  expect(part).toBeGreaterThan(0.1);
  expect(part).toBeLessThan(0.9);
});

const identity = { node: 'one', epoch: 1 };
const request = { requestId: 'r', userId: 1, tokenId: 1, tokenLimited: true, channelId: 1, budgets: '' };
const hold = (amount: number): Posting => ({
  kind: 'hold',
  ...request,
  amount,
  priceVersion: 1,
  modelName: 'model',
  openedAt: 1,
});
const settle = (amount: number, more: Partial<SettlePosting> = {}): SettlePosting => ({
  kind: 'settle',
  ...request,
  amount,
  priceVersion: 1,
  estimated: false,
  at: 1,
  address: '',
  log: null,
  ...more,
});
const requiredFor = (...batch: readonly Posting[]) => assumeFor(batch, identity)?.required;
const charge = settle(5, { requestId: 'other', userId: 2, tokenId: 3, unheld: true });
/** Beside a charge that says enough. */
const isAssumed = (...batch: readonly Posting[]): boolean => requiredFor(charge, ...batch) !== undefined;

test('M16 what a batch assumes is what its postings take, and of a hold all that its callers know', () => {
  const release: Posting = { kind: 'release', ...request, held: 30 };
  const known = requiredFor(settle(50, { held: 30, budgets: '1,~2' }));
  expect(known?.users).toEqual(new Map([[1, 20]]));
  expect(known?.tokens).toEqual(new Map([[1, { unlimited: false, least: 20 }]]));
  expect(known?.periods).toEqual(
    new Map([
      [1, { isHard: true, least: 20 }],
      [2, { isHard: false, least: 20 }],
    ]),
  );
  expect(known?.holds).toEqual(new Map([['r', { amount: 30, limited: true, budgets: '1,~2' }]]));
  expect(requiredFor(release)?.users).toEqual(new Map([[1, 0]]));
  expect(requiredFor(hold(10), { kind: 'extend', ...request, amount: 25 })?.users).toEqual(new Map([[1, 25]]));
  expect(requiredFor({ kind: 'extend', ...request, held: 10, amount: 25 })?.users).toEqual(new Map([[1, 15]]));
  const extended: Posting = { kind: 'extend', ...request, held: 10, amount: 25 };
  const both = requiredFor(extended, settle(30, { held: 25 }));
  expect(both?.users).toEqual(new Map([[1, 35]]));
  expect(both?.holds.get('r')?.amount).toBe(10);
  expect(requiredFor(hold(10), { kind: 'progress', requestId: 'r', progress: 5 })?.holds.size).toBe(0);
});

test('M16 a stored hold is compared with all that is known of it, and what is not known may be any', () => {
  const openHoldsOf = (...batch: readonly Posting[]) => {
    const assumed = assumeFor(batch, identity);
    return assumed && gainingRows(changesBy(assumed.state, batch).changes, assumed.required).openHolds;
  };
  const ended = { request_id: 'r', amount: 30, ends: 1, token_limited: 1, budgets: '1,~2' };
  expect(openHoldsOf(settle(50, { held: 30, budgets: '1,~2' }))).toEqual([ended]);
  const progress: Posting = { kind: 'progress', requestId: 'r', held: 30, progress: 7 };
  expect(openHoldsOf(progress, charge)).toEqual([{ request_id: 'r', amount: 30, progress: 7 }]);
});

test('M16 a batch whose postings do not say enough is read: an unknown hold, one that ended, a recovered charge', () => {
  const release: Posting = { kind: 'release', ...request, held: 30 };
  const unknown: readonly (readonly Posting[])[] = [
    [settle(50)],
    [{ kind: 'extend', ...request, amount: 25 }],
    [hold(10), hold(10)],
    // A hold of the batch itself that ends in it.
    [hold(10), settle(5)],
    [settle(50, { held: 30 }), settle(50, { held: 30 })],
    [release, release],
    [release, hold(10)],
    [settle(50, { held: 30, reason: 'recovered' })],
  ];
  for (const batch of unknown) expect(isAssumed(...batch)).toBe(false);
  const look: Posting = { kind: 'look', userId: 1, tokenId: 1 };
  expect(requiredFor(look)).toBeUndefined();
  expect(requiredFor(look, charge)?.users).toEqual(new Map([[2, 5]]));
  expect(requiredFor(settle(50, { held: 30, reason: '' }))).toBeDefined();
});

test('M16 amounts whose sums might not be exact are read', () => {
  const most = 2 ** 40;
  for (const amount of [most, most + 1]) {
    const isExact = amount === most;
    expect(isAssumed(hold(amount))).toBe(isExact);
    expect(isAssumed(settle(0, { held: amount }))).toBe(isExact);
    expect(isAssumed(settle(amount, { unheld: true }))).toBe(isExact);
  }
});

if (testDatabaseKind === 'postgres') {
  test('M16 PostgreSQL writes a batch without a read as the simulation does', async () => {
    for (const sequence of fc.sample(batches, { numRuns: 12, seed: 20_261_129 })) {
      const db = await openTestDatabase();
      const accounts = createAccounts();
      for (const id of users) await addUser(db, { id });
      for (const { id, user_id, unlimited_quota } of tokens) await addToken(db, user_id, { id, unlimited_quota });
      for (const id of [1, 2]) await addChannel(db, { id });
      const rows = periods.map((period) => ({ ...period, budget_id: period.id, starts_at: 0, ends_at: 1 }));
      await db.write.insertInto('budget_periods').values(rows).execute();
      for (const posting of [...grants, ...allocations]) await db.post(posting);
      for (const drawn of sequence) {
        const batch = knowing(drawn, accounts);
        // Together, they are one batch.
        const results = await Promise.all(batch.map((posting) => db.post(posting)));
        expect(results).toEqual(accounts.post(batch));
      }
      const idOf = ({ id }: { readonly id: number }) => id;
      const inOrder = <Row>(all: Iterable<Row>, key: (row: Row) => number | string) =>
        [...all].toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
      const stored = await db.read
        .selectFrom('users')
        .select(['id', 'available', 'held', 'used', 'request_count'])
        .execute();
      expect(inOrder(stored, idOf)).toEqual(inOrder(accounts.users.values(), idOf));
      const columns = ['id', 'user_id', 'available', 'held', 'used', 'status', 'unlimited_quota'] as const;
      const keys = await db.read
        .selectFrom('tokens')
        .select([...columns, 'accessed_time', 'last_address'])
        .execute();
      expect(inOrder(keys, idOf)).toEqual(inOrder(accounts.tokens.values(), idOf));
      const holds = await db.read.selectFrom('holds').selectAll().execute();
      const requestOf = ({ request_id }: { readonly request_id: string }) => request_id;
      expect(inOrder(holds, requestOf)).toEqual(inOrder(accounts.holds.values(), requestOf));
      const counted = await db.read.selectFrom('budget_periods').select(['id', 'granted', 'held', 'used']).execute();
      expect(inOrder(counted, idOf)).toEqual(inOrder(accounts.periods.values(), idOf));
      await db.close();
    }
  });
}
