import { afterAll, beforeAll, expect, test } from 'vitest';
import { role } from '@weir/contract/roles';
import { tokenSchema } from '@weir/contract/tokens';
import { managedUserSchema, userSchema, type User } from '@weir/contract/users';
import * as v from 'valibot';
import { setUser } from '../../../test/database/accounts.ts';
import { buildTestApp, type Caller, type TestApp, testPassword, type TestUser } from '../../../test/app/app.ts';
import { verifyLedger } from '../../store/ledger/verify.ts';

let app: TestApp;
let root: TestUser;
let admin: TestUser;
beforeAll(async () => {
  app = await buildTestApp();
  root = await app.root();
  admin = await app.addUser('admin', role.admin);
});
afterAll(() => app.close());

const list = '/api/user/';
const manage = '/api/user/manage';

const userIn = (data: unknown): User => v.parse(userSchema, data);
const usersIn = (data: unknown): User[] => v.parse(v.array(userSchema), data);
const namesIn = (data: unknown): string[] => usersIn(data).map(({ username }) => username);
const get = async (id: number, who: Caller = root) => userIn(await who.data('GET', `${list}${id}`));
const search = async (keyword: string) =>
  namesIn(await admin.data('GET', `${list}search?keyword=${encodeURIComponent(keyword)}`));
const act = (username: string, action: string, who: Caller = admin) => who.data('POST', manage, { username, action });
const refusedAct = (username: string, action: string, who: Caller = admin) =>
  who.refused('POST', manage, { username, action });
const rank = 'No permission to update users of the same or higher level';

test('API-05 the list shows every member of an account, and neither passwords nor access tokens', async () => {
  const alice = await app.addUser('alice');
  await setUser(app.db, alice.id, { available: 40, held: 2, used: 5, request_count: 3, must_change_password: 1 });
  await alice.data('GET', '/api/user/token');
  const [row] = usersIn(await admin.data('GET', list));
  expect(row).toEqual(await get(alice.id, admin));
  expect(row).toEqual({
    id: alice.id,
    username: 'alice',
    password: '',
    display_name: '',
    role: 1,
    status: 1,
    email: '',
    github_id: '',
    wechat_id: '',
    lark_id: '',
    oidc_id: '',
    verification_code: '',
    access_token: '',
    quota: 42,
    used_quota: 5,
    request_count: 3,
    group: 'default',
    aff_code: '',
    inviter_id: 0,
  });
  await setUser(app.db, alice.id, { available: 0, held: 0, used: 0, request_count: 0 });
});

test('USER-01 lists ten a page, newest first or by an amount; pages of each order continue each other', async () => {
  const made: TestUser[] = [];
  for (let count = 0; count < 22; count += 1) {
    const user = await app.addUser(`many${count}`);
    await setUser(app.db, user.id, { available: count % 4, held: 1, used: count % 3, request_count: count % 5 });
    made.push(user);
  }
  const pageOf = async (order: string, p: number) => usersIn(await admin.data('GET', `${list}?p=${p}&order=${order}`));
  const amounts: Record<string, (user: User) => number> = {
    '': ({ id }) => id,
    quota: ({ quota }) => quota,
    used_quota: ({ used_quota: used }) => used,
    request_count: ({ request_count: count }) => count,
  };
  for (const [order, amount] of Object.entries(amounts)) {
    const rows = [...(await pageOf(order, 0)), ...(await pageOf(order, 1)), ...(await pageOf(order, 2))];
    expect(rows.length, order).toBeGreaterThan(22);
    expect(new Set(rows.map(({ id }) => id)).size, order).toBe(rows.length);
    const seen = rows.map(amount);
    expect(seen, order).toEqual(seen.toSorted((one, other) => other - one));
  }
  expect(await pageOf('', 0)).toHaveLength(10);
  expect(await pageOf('password_hash', 0)).toEqual(await pageOf('', 0));
  expect(await pageOf('', 100_000)).toEqual([]);
  for (const { id } of made) await setUser(app.db, id, { available: 0, held: 0, used: 0, request_count: 0 });
});

test('USER-01 searches id, user name, e-mail address and display name by their beginning, whatever the case', async () => {
  const one = await app.addUser('Zoe');
  const two = await app.addUser('zoe_two');
  const three = await app.addUser('other');
  await setUser(app.db, three.id, { email: 'ZOE@example.com', display_name: '左伊' });
  expect(await search(' ZOE ')).toEqual(['other', 'zoe_two', 'Zoe']);
  expect(await search('zoe_')).toEqual(['zoe_two']);
  expect(await search('zoe@')).toEqual(['other']);
  expect(await search('左')).toEqual(['other']);
  expect(await search(String(two.id))).toContain('zoe_two');
  expect(await search('oe')).toEqual([]);
  expect(await search('')).toContain('Zoe');
  await act('Zoe', 'delete');
  expect(await search('zoe')).toEqual(['other', 'zoe_two']);
  expect(await search(String(one.id))).not.toContain('Zoe');
  expect(await search('deleted_')).toEqual([]);
});

test('USER-05 a created account is an ordinary one with what every new account gets; its creator decides no more', async () => {
  await root.data('PUT', '/api/option/', { key: 'QuotaForNewUser', value: '700' });
  await admin.data('POST', list, {
    username: '新用户',
    password: 'a password of theirs',
    display_name: 'New one',
    role: 1,
    quota: 1_000_000,
    group: 'vip',
    status: 2,
  });
  await admin.data('POST', list, { username: 'plain', password: 'a password of theirs' });
  await root.data('PUT', '/api/option/', { key: 'QuotaForNewUser', value: '0' });
  const made = await app.signIn('新用户', 'a password of theirs');
  const account = userIn(await made.data('GET', '/api/user/self'));
  expect(account).toMatchObject({ display_name: 'New one', role: 1, status: 1, group: 'default', quota: 700 });
  const tokens = v.parse(v.array(tokenSchema), await made.data('GET', '/api/token/'));
  expect(tokens).toMatchObject([{ name: 'default', unlimited_quota: true }]);
  const [plain] = usersIn(await admin.data('GET', list));
  expect(plain).toMatchObject({ username: 'plain', display_name: 'plain' });
});

test('USER-05 no name, no password, a name that is taken, too long or too short: refused, and no account is made', async () => {
  const [before] = usersIn(await admin.data('GET', list));
  const refused = (body: object) =>
    admin.refused('POST', list, { username: 'fresh', password: 'a password of theirs', ...body });
  expect(await refused({ username: '' })).toBe('Invalid parameter');
  expect(await refused({ password: '' })).toBe('Invalid parameter');
  expect(await refused({ username: 'root' })).toBe('Username already taken');
  expect(await refused({ username: 'thirteenchars' })).toContain('username must have at most 12 characters');
  expect(await refused({ display_name: 'x'.repeat(21) })).toContain('display_name must have at most 20 characters');
  expect(await refused({ password: 'short77' })).toBe('Password length must not be less than 8');
  for (const number of [10, 100]) {
    expect(await refused({ role: number })).toBe(
      'Cannot create a user with permission greater than or equal to your own',
    );
  }
  expect(usersIn(await admin.data('GET', list))[0]?.id).toBe(before?.id);
});

test('USER-04 edits name, display name, group and password; absent members stay, empty ones are distinguished', async () => {
  const bob = await app.addUser('bob');
  const edit = (body: object) => admin.data('PUT', list, { id: bob.id, ...body });
  await edit({ username: 'robert', display_name: '罗伯特', group: 'vip', password: '' });
  expect(await get(bob.id)).toMatchObject({ username: 'robert', display_name: '罗伯特', group: 'vip' });
  await edit({});
  expect(await get(bob.id)).toMatchObject({ username: 'robert', display_name: '罗伯特', group: 'vip' });
  await edit({ display_name: '', group: '' });
  expect(await get(bob.id)).toMatchObject({ username: 'robert', display_name: '', group: 'default' });
  await app.signIn('robert', testPassword);
  const refused = (body: object) => admin.refused('PUT', list, { id: bob.id, ...body });
  expect(await refused({ username: '' })).toBe('Username must not be empty');
  expect(await refused({ username: 'root' })).toBe('Username already taken');
  expect(await refused({ display_name: 'x'.repeat(21) })).toContain('display_name must have at most 20 characters');
  expect(await refused({ password: 'short77' })).toBe('Password length must not be less than 8');
  expect(await refused({ password: 'robert' })).toBe('Password length must not be less than 8');
  expect(await admin.refused('PUT', list, { username: 'x' })).toContain('id is missing');
  expect(await admin.refused('PUT', list, { id: 999_999, username: 'x' })).toBe('Record not found');
});

test('USER-04 an account read by its id has the number of its keys; deleted ones do not count', async () => {
  const erin = await app.addUser('erin');
  const count = async () => v.parse(managedUserSchema, await admin.data('GET', `${list}${erin.id}`)).token_count;
  expect(await count()).toBe(0);
  for (const name of ['one', 'two', 'three']) await erin.data('POST', '/api/token/', { name, remain_quota: 1 });
  const [newest, older] = v.parse(v.array(tokenSchema), await erin.data('GET', '/api/token/'));
  await erin.data('PUT', '/api/token/?status_only=true', { id: older?.id, status: 2 });
  await erin.data('DELETE', `/api/token/${newest?.id}`);
  expect(await count()).toBe(2);
});

test('USER-04 a password set by an administrator ends every session of that user', async () => {
  const carol = await app.addUser('carol');
  await admin.data('PUT', list, { id: carol.id, password: 'another long password' });
  expect((await carol.call('GET', '/api/user/self')).status).toBe(401);
  await app.signIn('carol', 'another long password');
  const keeper = await app.signIn('root', testPassword);
  const elsewhere = await app.signIn('root', testPassword);
  await keeper.data('PUT', list, { id: 1, password: testPassword });
  await keeper.data('GET', '/api/user/self');
  expect((await elsewhere.call('GET', '/api/user/self')).status).toBe(401);
  root = await app.root();
});

test('USER-04 bound accounts, counts, codes and amounts of a whole account sent back are not written', async () => {
  const dave = await app.addUser('dave');
  const before = await get(dave.id);
  await admin.data('PUT', list, {
    ...before,
    email: 'x@example.com',
    github_id: 'x',
    wechat_id: 'x',
    lark_id: 'x',
    oidc_id: 'x',
    used_quota: 5,
    request_count: 6,
    access_token: 'x',
    aff_code: 'x',
    inviter_id: 1,
    status: 2,
    role: 1,
  });
  expect(await get(dave.id)).toEqual(before);
  await dave.data('GET', '/api/user/self');
});

test('USER-02 promote, demote, disable, enable and delete answer role and status, and do it', async () => {
  const eve = await app.addUser('eve');
  const standing = async (answer: Promise<unknown>) => {
    const { role: number, status, ...others } = userIn(await answer);
    expect(Object.values(others).every((value) => value === '' || value === 0)).toBe(true);
    return [number, status];
  };
  expect(await standing(act('eve', 'promote', root))).toEqual([10, 1]);
  expect(await refusedAct('eve', 'promote', root)).toBe('This user is already an administrator');
  expect(await standing(act('eve', 'demote', root))).toEqual([1, 1]);
  expect(await refusedAct('eve', 'demote', root)).toBe('This user is already an ordinary user');
  expect(await standing(act('eve', 'disable'))).toEqual([1, 2]);
  expect(await standing(act('eve', 'enable'))).toEqual([1, 1]);
  expect(await standing(act('eve', 'nonsense'))).toEqual([1, 1]);
  expect(await standing(act('eve', 'constructor'))).toEqual([1, 1]);
  expect(await standing(act('eve', 'delete'))).toEqual([1, 3]);
  expect(await refusedAct('eve', 'enable')).toBe('User does not exist');
  expect(await root.refused('GET', `${list}${eve.id}`)).toBe('Record not found');
  expect(await root.refused('PUT', list, { id: eve.id, display_name: 'x' })).toBe('Record not found');
  expect(usersIn(await root.data('GET', list)).map(({ id }) => id)).not.toContain(eve.id);
});

test('USER-02 a deleted account keeps its row and its entries, and its name is free again', async () => {
  const frank = await app.addUser('frank');
  await admin.data('PUT', list, { id: frank.id, quota: 500 });
  await admin.data('DELETE', `${list}${frank.id}`);
  expect(await admin.refused('DELETE', `${list}${frank.id}`)).toBe('Record not found');
  const row = await app.db.read.selectFrom('users').selectAll().where('id', '=', frank.id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: 3, available: 500, password_hash: '', access_token_digest: '' });
  expect(row.username).toMatch(/^deleted_[0-9a-f]{32}$/);
  await admin.data('POST', list, { username: 'frank', password: 'a password of theirs' });
  expect((await verifyLedger(app.db)).findings).toEqual([]);
});

test('USER-03 an administrator acts on no account of an equal or higher role, their own included', async () => {
  const peer = await app.addUser('peer', role.admin);
  for (const { id, username } of [peer, admin, root]) {
    const before = await get(id);
    for (const action of ['enable', 'disable', 'delete', 'promote', 'demote']) {
      expect(await refusedAct(username, action), `${action} ${username}`).toBe(rank);
    }
    expect(await admin.refused('PUT', list, { id, display_name: 'x', quota: 5 })).toBe(rank);
    expect(await admin.refused('POST', '/api/topup', { user_id: id, quota: 5 })).toBe(rank);
    expect(await admin.refused('DELETE', `${list}${id}`)).toBe(
      'No permission to delete users of the same or higher level',
    );
    expect(await admin.refused('GET', `${list}${id}`)).toBe(
      'No permission to get information of users of the same or higher level',
    );
    expect(await get(id)).toEqual(before);
  }
});

test('USER-03 only root promotes, by any call; no call changes the role of root', async () => {
  const grace = await app.addUser('grace');
  expect(await refusedAct('grace', 'promote')).toBe('Ordinary administrators cannot promote other users');
  for (const number of [10, 100]) {
    expect(await admin.refused('PUT', list, { id: grace.id, role: number })).toMatch(
      /^No permission to raise another user/,
    );
  }
  await admin.data('PUT', list, { id: grace.id, role: 5 });
  expect(await get(grace.id)).toMatchObject({ role: 1 });
  await root.data('PUT', list, { id: grace.id, role: 10, status: 2 });
  expect(await get(grace.id)).toMatchObject({ role: 10, status: 2 });
  await root.data('PUT', list, { id: grace.id, role: 0, status: 0 });
  expect(await get(grace.id)).toMatchObject({ role: 10, status: 2 });
  for (const number of [5, 50, 100, -1]) {
    expect(await root.refused('PUT', list, { id: grace.id, role: number })).toBe('The role can only be set to 1 or 10');
  }
  expect(await root.refused('PUT', list, { id: grace.id, status: 3 })).toBe('The status can only be set to 1 or 2');
  expect(await refusedAct('root', 'disable', root)).toBe('Cannot disable the super administrator');
  expect(await refusedAct('root', 'delete', root)).toBe('Cannot delete the super administrator');
  expect(await refusedAct('root', 'demote', root)).toBe('Cannot demote the super administrator');
  expect(await root.refused('PUT', list, { id: 1, role: 1 })).toBe('Cannot demote the super administrator');
  expect(await root.refused('PUT', list, { id: 1, status: 2 })).toBe('Cannot disable the super administrator');
  expect(await root.refused('DELETE', `${list}1`)).toMatch(/^No permission to delete users/);
});

test('USER-03 C80 a new administrator must sign in again: an old session gains no rights', async () => {
  const heidi = await app.addUser('heidi');
  await act('heidi', 'promote', root);
  expect((await heidi.call('GET', '/api/user/self')).status).toBe(401);
  const again = await app.signIn('heidi', testPassword);
  await again.data('GET', list);
  await act('heidi', 'demote', root);
  expect(await again.refused('GET', list)).toBe('Not permitted: insufficient permission');
});

test('C22 what is done to accounts is in the audit log, with the names of what changed and no value', async () => {
  const ivan = await app.addUser('ivan');
  const whole = await get(ivan.id);
  await admin.data('PUT', list, { ...whole, group: 'vip', quota: 9, password: 'another long password' });
  await act('ivan', 'disable');
  await admin.data('POST', '/api/topup', { user_id: ivan.id, quota: 70 });
  await act('ivan', 'delete');
  const rows = await app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('subject', '=', `user ${ivan.id}`)
    .where('actor_id', '=', admin.id)
    .orderBy('id')
    .execute();
  expect(rows.map(({ action, detail }) => [action, detail])).toEqual([
    ['update_user', 'group password quota'],
    ['disable_user', ''],
    ['top_up', '70'],
    ['delete_user', ''],
  ]);
});

test('SHELL-15 the calls about accounts and groups are refused to ordinary users, and to callers who are not signed in', async () => {
  const judy = await app.addUser('judy');
  const calls = [
    ['GET', list],
    ['GET', `${list}search?keyword=a`],
    ['GET', `${list}1`],
    ['POST', list],
    ['PUT', list],
    ['POST', manage],
    ['DELETE', `${list}${judy.id}`],
    ['POST', '/api/topup'],
    ['GET', '/api/group/'],
  ] as const;
  for (const [method, path] of calls) {
    const body =
      method === 'GET' || method === 'DELETE'
        ? undefined
        : { id: judy.id, user_id: judy.id, username: 'judy', action: 'promote', password: 'x'.repeat(10), quota: 5 };
    expect(await judy.refused(method, path, body), path).toBe('Not permitted: insufficient permission');
    expect((await app.visitor().call(method, path, { body })).status, path).toBe(401);
  }
  expect(await get(judy.id)).toMatchObject({ role: 1, quota: 0 });
});

test('OPT-GroupRatio C77 its keys are the groups that accounts can have, and there is always one', async () => {
  const groups = () => admin.data('GET', '/api/group/');
  expect(await groups()).toEqual(['default', 'vip', 'svip'].toSorted());
  await root.data('PUT', '/api/option/', { key: 'GroupRatio', value: '{"default":1,"gold":0.5}' });
  expect(await groups()).toEqual(['default', 'gold']);
  const eve = await app.addUser('eve');
  expect(await admin.refused('PUT', list, { id: eve.id, group: 'vip' })).toContain('no such group');
  await admin.data('PUT', list, { id: eve.id, group: 'gold' });
  expect(await root.refused('PUT', '/api/option/', { key: 'GroupRatio', value: '{}' })).toContain('Group ratio');
  expect(await groups()).toEqual(['default', 'gold']);
  await root.data('PUT', '/api/option/', { key: 'GroupRatio', value: '{"default":1,"vip":1,"svip":1}' });
});
