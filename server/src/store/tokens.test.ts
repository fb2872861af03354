import { tokenStatus } from '@weir/contract/tokens';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addToken, addUser } from '../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../test/database/database.ts';
import { markExhausted, markExpired } from './tokens.ts';

let db: TestDatabase;
let userId: number;
beforeAll(async () => {
  db = await openTestDatabase();
  userId = await addUser(db);
});
afterAll(() => db.close());

const statusOf = async (id: number) =>
  (await db.read.selectFrom('tokens').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;
const now = 1_700_000_000;

test('M10 a key is marked exhausted only where it is: not once it was refilled, holds quota or is unlimited', async () => {
  const { enabled, disabled, exhausted } = tokenStatus;
  for (const [values, expected] of [
    [{}, exhausted],
    [{ available: 1 }, enabled],
    [{ held: 1 }, enabled],
    [{ unlimited_quota: 1 }, enabled],
    [{ status: disabled }, disabled],
  ] as const) {
    const id = await addToken(db, userId, values);
    await markExhausted(db, id);
    expect(await statusOf(id), JSON.stringify(values)).toBe(expected);
  }
});

test('M10 a key is marked expired only where it is: not once its time was extended', async () => {
  const { enabled, disabled, expired } = tokenStatus;
  for (const [values, outcome] of [
    [{ expired_time: now - 1 }, expired],
    [{ expired_time: now + 1 }, enabled],
    [{ expired_time: -1 }, enabled],
    [{ expired_time: now - 1, status: disabled }, disabled],
  ] as const) {
    const id = await addToken(db, userId, values);
    await markExpired(db, { id, now });
    expect(await statusOf(id), JSON.stringify(values)).toBe(outcome);
  }
});
