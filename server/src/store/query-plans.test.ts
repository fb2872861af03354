import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { addCaller, holdFor, settleFor } from '../../test/database/accounts.ts';
import {
  createTestStorage,
  openTestDatabase,
  testDatabaseKind,
  type TestDatabase,
} from '../../test/database/database.ts';
import { explain, recordQueries } from '../../test/database/query-plans.ts';
import { listAuditEntries } from './audit.ts';
import { openDatabase } from './open-database.ts';
import { findCharge } from './ledger/charges.ts';
import type { Database } from './database.ts';
import { countByTime, findRowAt } from './logs/log-counts.ts';
import { everything } from './logs/log-filter.ts';
import { sumModelDays } from './logs/log-hours.ts';
import { searchLogs } from './logs/log-search.ts';
import { sumNamedBuckets } from './logs/log-sums.ts';
import {
  countRedemptions,
  findRedemption,
  findRedemptionByDigest,
  listRedemptions,
  searchRedemptions,
} from './redemptions.ts';
import { findRoll, findTokenOfKey, findTokensOfKeys } from './token-rolls.ts';
import { countListedTokens, findToken, findTokenByDigest, listTokens, searchTokens } from './tokens.ts';
import { countUsers, listUsers, searchUsers } from './users/user-list.ts';
import {
  findRootAddress,
  findUser,
  findUserByAccessToken,
  findUserByEmail,
  findUserByIdentity,
  findUserByInviteCode,
  findUserForLogin,
  findUserId,
  findUsernames,
  hasUsers,
} from './users/users.ts';

const rows = 20_000;
const begin = 1_700_000_000;

/** `insert … select` of so many rows, numbered `n`. */
const fill = (table: string, columns: string, values: string) =>
  sql.raw(`insert into ${table} (${columns}) with recursive numbers (n) as
    (select 1 union all select n + 1 from numbers where n < ${rows}) select ${values} from numbers`);

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
  const fills = [
    fill(
      'users',
      'username, display_name, password_hash, must_change_password, role, status, email, github_id, github_uid, wechat_id, lark_id, oidc_id, "group", available, held, used, request_count, aff_code, inviter_id, access_token_digest, created_time',
      `'user' || n, 'Person ' || n, '', 0, 1, 1, 'p' || n || '@example.com', '', 'g' || n, '', '', '', 'default', n, 0, n, n, 'a' || n, 0, 'd' || n, 1`,
    ),
    fill(
      'tokens',
      'user_id, key_digest, key_sealed, status, name, created_time, accessed_time, expired_time, unlimited_quota, available, held, used, models, subnet, deleted_time',
      `1 + n % 2000, 'digest' || n, '', 1, 'key ' || n, 1, 1, -1, 0, n, 0, n, '', '', 0`,
    ),
    fill(
      'replaced_keys',
      'key_digest, token_id, roll_id, successor, valid_until, created_time',
      `'replaced' || n, n, 'roll' || n, '', 1, 1`,
    ),
    fill(
      'audit',
      'created_at, actor_id, actor_name, action, subject, detail, address, request_id, previous_hash, hash',
      `1, n, '', 'proxy_call', 'channel ' || n, '', '', '', '', ''`,
    ),
    fill(
      'redemptions',
      'user_id, key_digest, key_sealed, status, name, quota, created_time, redeemed_time, redeemed_user_id, deleted_time',
      `1, 'digest' || n, '', 1, 'batch ' || n, 1, 1, 0, 0, 0`,
    ),
    fill(
      'logs',
      'user_id, created_at, type, content, username, token_id, token_name, model_name, quota, prompt_tokens, completion_tokens, channel_id, request_id, elapsed_time, is_stream, system_prompt_reset, detail',
      `n % 50, ${begin} + n * 30, case when n % 100 = 0 then 5 else 2 end, 'text ' || n, '', 0, 'key', 'model' || (n % 20), 1, 1, 1, n % 10, 'request' || n, 0, 0, 0, ''`,
    ),
    fill(
      'ledger',
      'op_key, kind, user_id, token_id, channel_id, amount, unrecovered, request_id, price_version, estimated, actor_id, reason, created_at',
      `'use:request' || n, 'use', n % 50, n, 1, 1, 0, 'request' || n, 1, 0, 0, '', ${begin} + n * 30`,
    ),
    sql`insert into log_hours (hour, user_id, token_name, model_name, channel_id, requests, quota, prompt_tokens, completion_tokens)
      select created_at / 3600, user_id, token_name, model_name, channel_id, count(*), sum(quota), sum(prompt_tokens),
        sum(completion_tokens) from logs where type = 2 group by 1, 2, 3, 4, 5`,
  ];
  for (const statement of fills) await statement.execute(db.write);
  if (db.kind === 'postgres') await sql`analyze`.execute(db.write);
});
afterAll(() => db.close());

const span = { from: begin + 3600, before: begin + 18_000 };
const newest = { filter: { ...everything, type: 2, start: span.from, end: span.before }, index: 123 };

const questions: readonly (readonly [name: string, ask: (database: Database) => Promise<unknown>])[] = [
  ['a user by id', ({ read }) => findUser(read, 7)],
  ['the id of a name', ({ read }) => findUserId(read, 'user7')],
  ['names of users', (database) => findUsernames(database, [1, 2, 3])],
  ['who signs in by name', (database) => findUserForLogin(database, 'user7')],
  ['who signs in by address', (database) => findUserForLogin(database, 'p7@example.com')],
  ['an e-mail address', ({ read }) => findUserByEmail(read, 'p7@example.com')],
  ['an account elsewhere', ({ read }) => findUserByIdentity(read, 'github_uid', 'g7')],
  ['an invite code', ({ read }) => findUserByInviteCode(read, 'a7')],
  ['an access token', (database) => findUserByAccessToken(database, 'd7')],
  ['whether there are users', ({ read }) => hasUsers(read)],
  ['the newest users', (database) => listUsers(database, { order: '', page: 0, reader: 1 })],
  ['how many users there are, up to a bound', countUsers],
  ['users by text', (database) => searchUsers(database, 'person 12')],
  ['the keys of a user', (database) => listTokens(database, { userId: 7, order: '', page: 0 })],
  [
    'the keys of a user by what remains',
    (database) => listTokens(database, { userId: 7, order: 'remain_quota', page: 0 }),
  ],
  ['the keys of a user by use', (database) => listTokens(database, { userId: 7, order: 'used_quota', page: 0 })],
  ['how many keys a user has', (database) => countListedTokens(database, { userId: 7 })],
  ['the keys of a user by name', (database) => searchTokens(database, { userId: 7, keyword: 'key 7' })],
  ['a key by id', ({ read }) => findToken(read, { id: 7, userId: 8 })],
  ['a key by itself', (database) => findTokenByDigest(database, 'digest7')],
  ['a replaced key', (database) => findTokenOfKey(database, 'replaced7')],
  ['pasted keys', ({ read }) => findTokensOfKeys(read, ['digest7', 'replaced8'])],
  ['a roll of a key', ({ read }) => findRoll(read, { tokenId: 7, rollId: 'roll7' })],
  ['the newest codes', (database) => listRedemptions(database, { page: 0, reader: 1 })],
  ['how many codes there are, up to a bound', countRedemptions],
  ['codes by name', (database) => searchRedemptions(database, 'batch 7')],
  ['a code by id', ({ read }) => findRedemption(read, 7)],
  ['a code by itself', ({ read }) => findRedemptionByDigest(read, 'digest7')],
  ['entries of the audit log', ({ read }) => listAuditEntries(read, { before: 7, count: 100 })],
  ['the charge of a record', (database) => findCharge(database, 7)],
  ['records by text', (database) => searchLogs(database, { userId: 0, keyword: 'text 1' })],
  ['records by type', (database) => searchLogs(database, { userId: 0, keyword: '5' })],
  ['a record by its request', (database) => searchLogs(database, { userId: 0, keyword: '20261121000000000000000007' })],
  ['a row far down in the log', (database) => findRowAt(database, newest)],
  [
    'records over time',
    (database) =>
      countByTime(database, { filter: { ...everything, start: span.from, end: span.before }, now: span.before }),
  ],
  ['the last days of a user', (database) => sumModelDays(database, { userId: 7, from: 472_222, before: 472_229 })],
  [
    'use by user',
    (database) => sumNamedBuckets(database, { filter: everything, span, step: 3600, by: 'user_id', top: 7 }),
  ],
];

/** `log_days_summed` has a row for each day. */
const large = /^SCAN (?:users|tokens|redemptions|logs|ledger|audit|log_hours(?:_of_\w+)?|log_days(?:_[bo]\w+)?)\b/;

test.each(questions)('LOG-06 to find %s no large table is scanned', async (_, ask) => {
  const recorded = recordQueries(db);
  await ask(recorded.db);
  const queries = recorded.take();
  expect(queries.length).toBeGreaterThan(0);
  for (const query of queries) {
    const steps = await explain(db, query);
    // Reading from one end of an index, up to a limit, is no scan.
    const walks = / limit /i.test(query.sql) && !steps.some((step) => /sort|temp b-tree for order/i.test(step));
    const scan = walks ? undefined : steps.find((step) => large.test(step));
    expect(scan, `${query.sql}: ${steps.join(', ')}`).toBeUndefined();
  }
});

test('LOG-06 the search for a scan finds one', async () => {
  const recorded = recordQueries(db);
  await recorded.db.read.selectFrom('users').selectAll().where('display_name', '=', 'x').execute();
  await findRootAddress(recorded.db.read);
  const [byName] = recorded.take();
  const steps = byName === undefined ? [] : await explain(db, byName);
  expect(steps.some((step) => large.test(step))).toBe(true);
});

/** Scans of whole tables so far. */
const countScans = async (databaseUrl: string | undefined): Promise<number> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  // A session reports its scans as it ends, which is after its client has closed the connection.
  const others = `select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  await expect.poll(async () => (await client.query(others)).rowCount).toBe(0);
  const { rows: counted } = await client.query<{ scans: number }>(
    `select sum(seq_scan)::int as scans from pg_stat_user_tables where relname in ('ledger', 'logs', 'holds', 'users', 'tokens')`,
  );
  await client.end();
  return counted[0]?.scans ?? 0;
};

/** Where the program never analyzes a table, PostgreSQL does it itself, a minute after the first calls at the earliest. */
const onPostgres = () => {
  test('18.5 postings scan no table, although their plans were made while the tables were empty', async () => {
    const storage = await createTestStorage();
    const prepared = await openDatabase(storage);
    const caller = await addCaller(prepared, 100_000);
    await prepared.close();
    /** The scans of one opening with so many calls: a connection reports what it did at its end. */
    const scansOf = async (calls: number): Promise<number> => {
      const before = await countScans(storage.databaseUrl);
      const opened = await openDatabase(storage);
      for (let call = 0; call < calls; call += 1) {
        await opened.post(holdFor(caller, `call${call}`, 10));
        await opened.post(settleFor(caller, `call${call}`, 5));
      }
      await opened.close();
      return (await countScans(storage.databaseUrl)) - before;
    };
    const ofOpening = await scansOf(0);
    expect(await scansOf(20)).toBe(ofOpening);
    await storage.remove();
  });
};

if (testDatabaseKind === 'postgres') onPostgres();
