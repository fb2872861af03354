import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { explain, recordQueries } from '../../../test/database/query-plans.ts';
import {
  findImportedGithubUser,
  findUserByEmail,
  findUserByIdentity,
  findUserByInviteCode,
  isEmailTaken,
} from './users.ts';

const rowCount = 20_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
  const zero = ['must_change_password', 'available', 'held', 'used', 'request_count', 'inviter_id', 'created_time'];
  const filled = [
    'username',
    'email',
    'github_uid',
    'wechat_id',
    'lark_id',
    'oidc_id',
    'aff_code',
    'access_token_digest',
  ];
  const empty = ['display_name', 'password_hash', 'github_id', 'group'];
  const columns = ['role', 'status', ...zero, ...filled, ...empty];
  const values = [
    ...['role', 'status', ...zero].map((name) => sql.lit(zero.includes(name) ? 0 : 1)),
    // Most people use no other sign-in provider.
    ...filled.map((name) =>
      name === 'username' ? sql`'user' || n` : sql`case when n % 10 = 0 then ${sql.lit(name)} || n else '' end`,
    ),
    ...empty.map(() => sql`''`),
  ];
  await sql`insert into users (${sql.join(columns.map((name) => sql.ref(name)))})
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(rowCount)})
    select ${sql.join(values)} from numbers`.execute(db.write);
  if (db.kind === 'postgres') await sql`analyze`.execute(db.write);
});
afterAll(() => db.close());

test('no lookup scans all users: not by an account elsewhere, an address or an invite code', async () => {
  const { db: recorded, take } = recordQueries(db);
  for (const column of ['github_uid', 'oidc_id', 'lark_id', 'wechat_id'] as const) {
    expect(await findUserByIdentity(recorded.read, column, `${column}20`)).toMatchObject({ username: 'user20' });
    expect(await findUserByIdentity(recorded.read, column, '')).toBeUndefined();
  }
  expect(await findImportedGithubUser(recorded.read, 'unknown')).toBeUndefined();
  expect(await findUserByEmail(recorded.read, 'email20')).toMatchObject({ username: 'user20' });
  expect(await isEmailTaken(recorded.read, 'email20')).toBe(true);
  expect(await findUserByInviteCode(recorded.read, 'aff_code20')).toMatchObject({ username: 'user20' });
  const queries = take();
  expect(queries.length).toBeGreaterThan(10);
  for (const query of queries) {
    const steps = await explain(db, query);
    expect(
      steps.filter((step) => step.startsWith('SCAN users')),
      `${query.sql}: ${steps.join(', ')}`,
    ).toEqual([]);
  }
});
