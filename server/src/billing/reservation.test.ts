import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCaller, type Caller } from '../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../test/database/database.ts';
import { openChanges } from '../store/nodes/changes.ts';
import type { Posting, PostingResult } from '../store/ledger/postings.ts';
import { createAccounts, type Accounts } from './accounts.ts';

const details = { channelId: 1, priceVersion: 1, modelName: 'model', openedAt: 1_700_000_000 };

let db: TestDatabase;
let accounts: Accounts;
/** The outcomes of the posted holds. */
const holds: Promise<PostingResult>[] = [];
const errors: unknown[] = [];

beforeAll(async () => {
  db = await openTestDatabase();
  const post = (posting: Posting) => {
    const result = db.post(posting);
    if (posting.kind === 'hold') holds.push(result);
    return result;
  };
  const onError = (error: unknown) => void errors.push(error);
  accounts = createAccounts({ db: { post }, changes: await openChanges({}), onError });
});
afterAll(async () => {
  accounts.close();
  await db.close();
});

/** An operator takes quota away; this process does not know of it yet. */
const take = ({ userId }: Caller, amount: number) => {
  const posting = { opKey: `adjust:${userId}`, userId, amount: -amount, actorId: 1, reason: '', at: 1, log: null };
  return db.post({ kind: 'credit', entry: 'adjust', ...posting });
};

test('RELAY-07 L8 what a running request set aside stays its own where its hold is refused', async () => {
  const caller = await addCaller(db, 100, 1000);
  await accounts.ready(caller);
  const reservation = accounts.reserve({ requestId: 'kept', payer: caller, amount: 80 });
  await take(caller, 50);
  reservation?.deferHold(details);
  await expect.poll(() => holds.length).toBe(1);
  expect((await holds[0])?.outcome).toBe('refused');
  await accounts.reload(caller);
  expect(accounts.free(caller)).toEqual({ user: 0, token: 920 });
  expect(accounts.reserve({ requestId: 'another', payer: caller, amount: 1 })).toBeNull();
  const charge = { amount: 50, channelId: 1, priceVersion: 1, estimated: false, at: 1_700_000_000, log: null };
  expect(await reservation?.settle(charge)).toMatchObject({ charged: 50, unrecovered: 0 });
  expect(accounts.free(caller)).toEqual({ user: 0, token: 950 });
  expect(errors).toEqual([]);
});
