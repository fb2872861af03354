import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

test('a fresh database has its tables', async () => {
  await db.query.insertInto('options').values({ key: 'a', value: 'b', version: 1 }).execute();
  expect(await db.query.selectFrom('options').selectAll().execute()).toEqual([{ key: 'a', value: 'b', version: 1 }]);
});
