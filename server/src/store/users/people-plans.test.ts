import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { explain, recordQueries } from '../../../test/database/query-plans.ts';
import type { Database } from '../database.ts';
import { findRedemptionByDigest, listRedemptions, searchRedemptions } from '../redemptions.ts';
import { listUsers, searchUsers } from './user-list.ts';

const rowCount = 20_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
  const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(rowCount)})`;
  await sql`
    insert into users (username, display_name, password_hash, must_change_password, role, status, email, github_id,
      github_uid, wechat_id, lark_id, oidc_id, "group", available, held, used, request_count, aff_code, inviter_id,
      access_token_digest, created_time)
    ${numbers} select 'User' || n, 'Name ' || n, '', 0, 1, 1, 'mail' || n || '@example.com', '', '', '', '', '', 'default',
      0, 0, 0, 0, '', 0, '', 0 from numbers`.execute(db.write);
  await sql`
    insert into redemptions (user_id, key_digest, key_sealed, status, name, quota, created_time, redeemed_time,
      redeemed_user_id, deleted_time)
    ${numbers} select 1, 'digest' || n, '', 1, 'Code ' || n, 1, 0, 0, 0, 0 from numbers`.execute(db.write);
  if (db.kind === 'postgres') await sql`analyze`.execute(db.write);
});
afterAll(() => db.close());

/** The steps of every statement that `read` asks. */
const stepsOf = async (read: (recorded: Database) => Promise<unknown>): Promise<string[]> => {
  const recorded = recordQueries(db);
  await read(recorded.db);
  const plans = await Promise.all(recorded.take().map((query) => explain(db, query)));
  expect(plans.length).toBeGreaterThan(0);
  return plans.flat();
};

/** A scan of a whole table. */
const walks = /^SCAN (?:users|redemptions)(?!.*USING)/;
/** Sorts rows itself: of a few found ones that may be the cheapest, of nearly all it never is. */
const sorts = /temp b-tree|^Sort$/i;

test('USER-01 a search of users reads ranges of indexes, and no more rows than it shows', async () => {
  for (const keyword of ['user19', 'NAME 5', 'mail7', '77', 'unknown', 'u']) {
    const steps = await stepsOf((recorded) => searchUsers(recorded, keyword));
    expect(
      steps.filter((step) => walks.test(step)),
      `${keyword}: ${steps.join(', ')}`,
    ).toEqual([]);
  }
  expect((await stepsOf((recorded) => searchUsers(recorded, 'u'))).filter((step) => sorts.test(step))).toEqual([]);
  expect(await searchUsers(db, 'USER')).toHaveLength(1000);
});

test('RED-02 a search of codes reads a range of an index, and a redemption one row', async () => {
  for (const keyword of ['code 19', '77', 'nothing', 'c']) {
    const steps = await stepsOf((recorded) => searchRedemptions(recorded, keyword));
    expect(
      steps.filter((step) => walks.test(step)),
      `${keyword}: ${steps.join(', ')}`,
    ).toEqual([]);
  }
  expect((await stepsOf((recorded) => searchRedemptions(recorded, 'c'))).filter((step) => sorts.test(step))).toEqual(
    [],
  );
  const steps = await stepsOf((recorded) => findRedemptionByDigest(recorded.read, 'digest7'));
  expect(
    steps.filter((step) => walks.test(step)),
    steps.join(', '),
  ).toEqual([]);
});

test('RED-01 USER-01 the newest rows are read in the order of their table', async () => {
  const lists = [
    (recorded: Database) => listRedemptions(recorded, { reader: 1, page: 0 }),
    (recorded: Database) => listUsers(recorded, { order: '', reader: 1, page: 0 }),
  ];
  for (const list of lists) {
    const steps = await stepsOf(list);
    expect(
      steps.some((step) => /temp b-tree|^Sort$/i.test(step)),
      steps.join(', '),
    ).toBe(false);
  }
});
