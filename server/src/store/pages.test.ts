import { expect, test } from 'vitest';
import { addToken, addUser } from '../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../test/database/database.ts';
import { listTokens } from './tokens.ts';

const fill = async (db: TestDatabase, tokens: number): Promise<number> => {
  const userId = await addUser(db);
  for (let index = 0; index < tokens; index += 1) await addToken(db, userId, { name: `token ${index}` });
  return userId;
};

const idsOf = async (db: TestDatabase, userId: number, page: number): Promise<number[]> =>
  (await listTokens(db, { userId, order: '', page })).map((token) => token.id);

const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

test('the read position of a list in one database does not affect another one', async () => {
  await using stack = new AsyncDisposableStack();
  const one = await openTestDatabase();
  stack.defer(one.close);
  const other = await openTestDatabase();
  stack.defer(other.close);
  const userId = await fill(one, 25);
  expect(await fill(other, 40)).toBe(userId);
  expect(await idsOf(one, userId, 0)).toEqual(range(25, 16));
  expect(await idsOf(other, userId, 1)).toEqual(range(30, 21));
});

test('TOK-04 the next page continues after the last row shown, whatever was added or deleted meanwhile', async () => {
  await using stack = new AsyncDisposableStack();
  const db = await openTestDatabase();
  stack.defer(db.close);
  const userId = await fill(db, 25);
  expect(await idsOf(db, userId, 0)).toEqual(range(25, 16));
  await addToken(db, userId);
  await db.write.updateTable('tokens').set({ deleted_time: 1 }).where('id', '=', 20).execute();
  expect(await idsOf(db, userId, 1)).toEqual(range(15, 6));
  expect(await idsOf(db, userId, 2)).toEqual(range(5, 1));
  expect(await idsOf(db, userId, 3)).toEqual([]);
});

test('a page without the pages before it is found too, and one beyond the end is empty', async () => {
  await using stack = new AsyncDisposableStack();
  const db = await openTestDatabase();
  stack.defer(db.close);
  const userId = await fill(db, 35);
  expect(await idsOf(db, userId, 2)).toEqual(range(15, 6));
  expect(await idsOf(db, userId, 3)).toEqual(range(5, 1));
  expect(await idsOf(db, userId, 4)).toEqual([]);
  expect(await idsOf(db, userId, Number.MAX_SAFE_INTEGER)).toEqual([]);
});
