import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser, setUser } from '../../../test/database/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { openChanges } from '../../store/nodes/changes.ts';
import { loadOptions, type Options } from '../../store/options.ts';
import { createSecrets } from '../../store/credentials/secrets.ts';
import { isTokenKey } from '../../store/credentials/token-key.ts';
import { listTokens, openTokenKey } from '../../store/tokens.ts';
import { findUser } from '../../store/users/users.ts';
import { verifyLedger } from '../../store/ledger/verify.ts';
import { openAccount, type OpenAccountDeps } from './open-account.ts';

const secrets = createSecrets(Buffer.alloc(32, 5));
const clock = { now: () => 1_700_000_000_500 };

let db: TestDatabase;
let options: Options;
let deps: OpenAccountDeps;
const changed: unknown[] = [];
beforeAll(async () => {
  db = await openTestDatabase();
  const changes = await openChanges({});
  changes.subscribe('user', (change) => changed.push(change.id));
  options = await loadOptions({ db, secrets, changes, defaults: {} });
  deps = { db, secrets, options, changes, clock };
});
afterAll(async () => {
  options.close();
  await db.close();
});

const logsOf = (userId: number) =>
  db.read
    .selectFrom('logs')
    .select(['type', 'content', 'username', 'quota', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
const entriesOf = (userId: number) =>
  db.read
    .selectFrom('ledger')
    .select(['kind', 'amount', 'op_key'])
    .where('user_id', '=', userId)
    .where('kind', '<>', 'allocate')
    .orderBy('id')
    .execute();

test('REG-09 a new account is an enabled user of the default group with an unlimited key named default', async () => {
  const { id } = await openAccount(deps, { language: 'en', username: 'plain', passwordHash: 'hash' });
  const user = await findUser(db.read, id);
  expect(user).toMatchObject({
    username: 'plain',
    display_name: 'plain',
    password_hash: 'hash',
    role: 1,
    status: 1,
    group: 'default',
    available: 0,
    inviter_id: 0,
    created_time: 1_700_000_000,
    access_token_digest: '',
  });
  expect(user?.aff_code).toMatch(/^[0-9A-Za-z]{8}$/);
  const [token, ...others] = await listTokens(db, { userId: id, order: '', page: 0 });
  expect(others).toEqual([]);
  expect(token).toMatchObject({ name: 'default', unlimited_quota: 1, expired_time: -1, models: '', status: 1 });
  expect(token === undefined ? false : isTokenKey(openTokenKey(secrets, token))).toBe(true);
  expect(await logsOf(id)).toEqual([]);
  expect(await entriesOf(id)).toEqual([]);
});

test('REG-01 REG-09 OPT-QuotaForNewUser OPT-QuotaForInvitee OPT-QuotaForInviter gifts are ledger entries with a log row each', async () => {
  await options.set('QuotaForNewUser', '1000');
  await options.set('QuotaForInvitee', '200');
  await options.set('QuotaForInviter', '30');
  await options.set('DisplayInCurrencyEnabled', 'false');
  const inviter = await addUser(db, { username: 'inviter', aff_code: 'Invite42' });
  changed.length = 0;
  const { id } = await openAccount(deps, { language: 'en', username: 'invited', inviteCode: 'Invite42' });
  expect(changed).toEqual([id, inviter]);
  expect(await findUser(db.read, id)).toMatchObject({ available: 1200, inviter_id: inviter });
  expect(await findUser(db.read, inviter)).toMatchObject({ available: 30 });
  expect(await entriesOf(id)).toEqual([
    { kind: 'grant', amount: 1000, op_key: `grant:${id}:${id}` },
    { kind: 'invite', amount: 200, op_key: `invite:${id}:${id}` },
  ]);
  expect(await entriesOf(inviter)).toEqual([{ kind: 'invite', amount: 30, op_key: `invite:${id}:${inviter}` }]);
  const row = { type: 4, quota: 0, created_at: 1_700_000_000 };
  expect(await logsOf(id)).toEqual([
    { ...row, username: 'invited', content: 'new-user registration gift 1000 points of quota' },
    { ...row, username: 'invited', content: 'gift for using an invite code 200 points of quota' },
  ]);
  expect(await logsOf(inviter)).toEqual([
    { ...row, username: 'inviter', content: 'gift for inviting a user 30 points of quota' },
  ]);
});

test('C67 OPT-DisplayInCurrencyEnabled the log shows a gift in money where quota is shown as money, in the language of the account', async () => {
  await options.set('DisplayInCurrencyEnabled', 'true');
  const english = await openAccount(deps, { language: 'en', username: 'money' });
  expect(await logsOf(english.id)).toMatchObject([{ content: 'new-user registration gift $0.002000 quota' }]);
  const chinese = await openAccount(deps, { language: 'zh', username: '用户' });
  expect(await logsOf(chinese.id)).toMatchObject([{ content: '新用户注册赠送 ＄0.002000 额度' }]);
});

test('REG-01 an invite code that is unknown, empty or of a deleted account counts as none', async () => {
  await addUser(db, { aff_code: 'Deleted1', status: 3 });
  for (const inviteCode of ['', 'unknown', 'Deleted1']) {
    const { id } = await openAccount(deps, { language: 'en', username: `from ${inviteCode}`, inviteCode });
    expect(await findUser(db.read, id)).toMatchObject({ available: 1000, inviter_id: 0 });
  }
});

const count = async () => {
  const rows = await Promise.all(
    (['users', 'tokens', 'ledger', 'logs'] as const).map((table) => db.read.selectFrom(table).select('id').execute()),
  );
  return rows.map(({ length }) => length);
};

test('REG-07 a taken name, of a deleted account too, leaves nothing behind', async () => {
  await addUser(db, { username: 'gone', status: 3 });
  const before = await count();
  for (const username of ['plain', 'gone']) {
    await expect(openAccount(deps, { language: 'en', username, inviteCode: 'Invite42' })).rejects.toMatchObject({
      code: 'username_taken',
    });
  }
  await expect(
    openAccount(deps, { language: 'en', username: 'late', inviteCode: 'Invite42' }, async () => {
      throw new Error('the code is gone');
    }),
  ).rejects.toThrow('the code is gone');
  expect(await count()).toEqual(before);
});

test('of accounts opened at once under one name one is made, and its inviter rewarded once', async () => {
  const inviter = await addUser(db, { aff_code: 'Invite43' });
  const made = await Promise.allSettled(
    Array.from({ length: 8 }, () => openAccount(deps, { language: 'en', username: 'at once', inviteCode: 'Invite43' })),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of made) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'username_taken' });
  }
  expect(await findUser(db.read, inviter)).toMatchObject({ available: 30 });
});

test('if the reward does not fit into the balance of the inviter, no account is opened', async () => {
  const inviter = await addUser(db, { aff_code: 'Invite44' });
  await setUser(db, inviter, { available: Number.MAX_SAFE_INTEGER });
  const before = await count();
  await expect(
    openAccount(deps, { language: 'en', username: 'too much', inviteCode: 'Invite44' }),
  ).rejects.toMatchObject({
    code: 'gift_refused',
  });
  expect(await count()).toEqual(before);
  await setUser(db, inviter, { available: 0 });
});

test('a name is completed by the id of its account, or by a random one where that name is taken', async () => {
  const first = await openAccount(deps, {
    language: 'en',
    username: { prefix: 'github_' },
    identity: { github_uid: '1' },
    displayName: 'Ada',
  });
  expect(first.username).toBe(`github_${first.id}`);
  expect(await findUser(db.read, first.id)).toMatchObject({ display_name: 'Ada', github_uid: '1' });
  await addUser(db, { username: `github_${first.id + 2}` });
  const second = await openAccount(deps, {
    language: 'en',
    username: { prefix: 'github_' },
    identity: { github_uid: '2' },
  });
  expect(second.id).toBe(first.id + 2);
  expect(second.username).toMatch(/^github_[0-9A-Za-z]{5}$/);
  expect(await findUser(db.read, second.id)).toMatchObject({ username: second.username });
});

test('L1 the ledger agrees with every balance', async () => {
  expect((await verifyLedger(db)).findings).toEqual([]);
});
