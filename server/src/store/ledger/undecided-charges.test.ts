import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCaller, balanceOf, holdFor, settleFor, type Caller } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const userOf = (caller: Caller) => balanceOf(db, caller);

interface Charge {
  readonly amount: number;
  readonly setAside: number;
}

/** Charges what a node had set aside in its memory alone. */
const charge = (caller: Caller, requestId: string, { amount, setAside }: Charge) =>
  db.post({ ...settleFor(caller, requestId, amount), unheld: true, setAside });

test('RELAY-07 a charge of what one node had in memory alone is refused without a trace where it is not available', async () => {
  const caller = await addCaller(db, 100);
  const before = await userOf(caller);
  expect(await charge(caller, 'beyond', { amount: 101, setAside: 120 })).toMatchObject({
    outcome: 'refused',
    charged: 0,
    user: { available: 100 },
  });
  expect(await userOf(caller)).toEqual(before);
  const entries = db.read.selectFrom('ledger').select('id').where('request_id', '=', 'beyond');
  const rows = db.read.selectFrom('logs').select('id').where('request_id', '=', 'beyond');
  expect([await entries.execute(), await rows.execute()]).toEqual([[], []]);
});

test('RELAY-07 it is charged as far as it was set aside; what the answer cost beyond that, as far as there is any', async () => {
  const caller = await addCaller(db, 100);
  const result = await charge(caller, 'dearer', { amount: 130, setAside: 100 });
  expect(result).toMatchObject({ outcome: 'done', charged: 100, unrecovered: 30 });
});

test('RELAY-07 a charge whose first answer was lost is not refused for what it took itself', async () => {
  const caller = await addCaller(db, 100);
  const wanted = { amount: 100, setAside: 100 };
  expect(await charge(caller, 'lost', wanted)).toMatchObject({ outcome: 'done', charged: 100 });
  // By itself, and beside others.
  expect(await charge(caller, 'lost', wanted)).toMatchObject({ outcome: 'repeated', charged: 100 });
  const [repeated, refused, held] = await Promise.all([
    charge(caller, 'lost', wanted),
    charge(caller, 'other', { amount: 1, setAside: 1 }),
    db.post(holdFor(caller, 'held', 1)),
  ]);
  expect(repeated).toMatchObject({ outcome: 'repeated', charged: 100, unrecovered: 0 });
  expect([refused.outcome, held.outcome]).toEqual(['refused', 'refused']);
  expect(await userOf(caller)).toEqual({ available: 0, held: 0, used: 100, request_count: 1 });
});

test('RELAY-07 a limited key refuses it too, one that was unlimited at the admission does not', async () => {
  const limited = await addCaller(db, 100, 20);
  expect((await charge(limited, 'of the key', { amount: 21, setAside: 30 })).outcome).toBe('refused');
  const lowered = { ...limited, tokenLimited: false };
  expect(await charge(lowered, 'lowered', { amount: 21, setAside: 30 })).toMatchObject({ charged: 21, unrecovered: 0 });
});

test('RELAY-07 a charge whose hold was written meanwhile is not refused', async () => {
  const caller = await addCaller(db, 100);
  await db.post(holdFor(caller, 'written', 80));
  await db.post(holdFor(caller, 'another', 20));
  const result = await db.post({ ...settleFor(caller, 'written', 90), setAside: 90 });
  expect(result).toMatchObject({ outcome: 'done', charged: 80, unrecovered: 10 });
});
