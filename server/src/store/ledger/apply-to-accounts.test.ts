import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addChannel, addToken, addUser } from '../../../test/database/accounts.ts';
import { openTestDatabase } from '../../../test/database/database.ts';
import { knowing, releasesOf, requestPostings, tokens, users } from '../../../test/simulator/request-postings.ts';
import { brokenInvariants, simulateAccounts } from '../../../test/simulator/simulated-accounts.ts';
import type { Posting } from './postings.ts';
import { verifyLedger } from './verify.ts';

const codes = ['code1', 'code2'];
const nothing = { available: 0, held: 0, used: 0 };
const unused = { accessed_time: 0, last_address: '' };

const freshAccounts = () =>
  simulateAccounts({
    periods: [],
    users: users.map((id) => ({ id, ...nothing, request_count: 0 })),
    tokens: tokens.map((token) => ({ ...token, ...nothing, ...unused, status: 1 })),
    codes: codes.map((key_digest, index) => ({ id: index + 1, key_digest, status: 1, quota: 50, deleted_time: 0 })),
  });

const amount = fc.nat(120);
const opKey = fc.nat(40).map((index) => `op${index}`);

const postings: fc.Arbitrary<Posting> = fc.oneof(
  { weight: 6, arbitrary: requestPostings({ each: 3, amount, budgets: [''] }) },
  fc
    .tuple(opKey, fc.constantFrom(...users), fc.integer({ min: -100, max: 300 }))
    .map(([key, userId, credit]): Posting => ({
      kind: 'credit',
      opKey: key,
      entry: 'adjust',
      userId,
      amount: credit,
      actorId: 0,
      reason: '',
      at: 1,
      log: null,
    })),
  fc
    .record({
      key: opKey,
      token: fc.constantFrom(...tokens),
      limit: fc.oneof(
        fc.record({ remain: amount }),
        fc.record({ remain: amount, usedSeen: amount }),
        fc.record({ total: amount }),
        fc.constant({}),
      ),
      unlimited: fc.boolean(),
    })
    .map(({ key, token, limit, unlimited }): Posting => ({
      kind: 'allocate',
      opKey: `allocate ${key}`,
      tokenId: token.id,
      userId: token.user_id,
      ...limit,
      unlimited,
      actorId: 0,
      at: 1,
    })),
  fc
    .tuple(fc.constantFrom(...codes, 'unknown'), fc.constantFrom(...users))
    .map(([keyDigest, userId]): Posting => ({ kind: 'redeem', keyDigest, userId, at: 1, log: null })),
);
const batches = fc.array(fc.array(postings, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 12 });

test('after any batches of postings the accounts agree', () => {
  fc.assert(
    fc.property(batches, (sequence) => {
      const accounts = freshAccounts();
      for (const batch of sequence) {
        accounts.post(knowing(batch, accounts));
        expect(brokenInvariants(accounts)).toEqual([]);
      }
    }),
    { numRuns: 1000 },
  );
});

test('postings do the same one by one as in one batch', () => {
  fc.assert(
    fc.property(fc.array(postings, { minLength: 1, maxLength: 40 }), (sequence) => {
      const together = freshAccounts();
      const alone = freshAccounts();
      const outcomes = (results: readonly { outcome: string; charged: number; unrecovered: number }[]) =>
        results.map(({ outcome, charged, unrecovered }) => ({ outcome, charged, unrecovered }));
      const first = outcomes(together.post(sequence));
      expect(outcomes(sequence.flatMap((posting) => alone.post([posting])))).toEqual(first);
      for (const part of ['users', 'tokens', 'holds', 'channels', 'codes', 'ledger'] as const) {
        expect(together[part]).toEqual(alone[part]);
      }
    }),
    { numRuns: 500 },
  );
});

test('postings that are repeated, in whatever batches, move nothing a second time', () => {
  fc.assert(
    fc.property(batches, (sequence) => {
      const accounts = freshAccounts();
      const settled = sequence.flat().filter((posting) => posting.kind === 'settle' || posting.kind === 'credit');
      for (const batch of sequence) accounts.post(batch);
      for (const release of releasesOf(3)) accounts.post([release]);
      const before = structuredClone({ users: accounts.users, tokens: accounts.tokens, ledger: accounts.ledger });
      const applied = settled.filter((posting) =>
        accounts.ledger.some(({ op_key }) =>
          posting.kind === 'settle' ? op_key === `use:${posting.requestId}` : op_key === posting.opKey,
        ),
      );
      for (const result of accounts.post(applied)) expect(result.outcome).toBe('repeated');
      expect({ users: accounts.users, tokens: accounts.tokens, ledger: accounts.ledger }).toEqual(before);
    }),
    { numRuns: 300 },
  );
});

test('the loaded rows are left as they were', () => {
  const accounts = freshAccounts();
  const [user] = accounts.users.values();
  accounts.post([
    { kind: 'credit', opKey: 'a', entry: 'grant', userId: 1, amount: 5, actorId: 0, reason: '', at: 1, log: null },
  ]);
  expect(user).toMatchObject(nothing);
});

test('a database does what the simulation does, and its ledger agrees', async () => {
  const sequences = fc.sample(batches, { numRuns: 4, seed: 20_261_121 });
  for (const sequence of sequences) {
    const db = await openTestDatabase();
    const accounts = freshAccounts();
    for (const id of users) await addUser(db, { id });
    for (const { id, user_id, unlimited_quota } of tokens) await addToken(db, user_id, { id, unlimited_quota });
    for (const id of [1, 2]) await addChannel(db, { id });
    for (const [index, key_digest] of codes.entries()) {
      const dates = { created_time: 0, redeemed_time: 0, redeemed_user_id: 0, deleted_time: 0 };
      const code = { id: index + 1, user_id: 1, key_digest, key_sealed: '', status: 1, name: '', quota: 50, ...dates };
      await db.write.insertInto('redemptions').values(code).execute();
    }
    for (const drawn of sequence) {
      const batch = knowing(drawn, accounts);
      const results = await Promise.all(batch.map((posting) => db.post(posting)));
      expect(results).toEqual(accounts.post(batch));
    }
    const columns = ['id', 'available', 'held', 'used', 'request_count'] as const;
    const stored = await db.read.selectFrom('users').select(columns).orderBy('id').execute();
    expect(stored).toEqual([...accounts.users.values()].toSorted((one, other) => one.id - other.id));
    const holds = await db.read.selectFrom('holds').selectAll().orderBy('request_id').execute();
    expect(holds).toEqual(
      [...accounts.holds.values()].toSorted((one, other) => (one.request_id < other.request_id ? -1 : 1)),
    );
    expect((await verifyLedger(db)).findings).toEqual([]);
    await db.close();
  }
});
