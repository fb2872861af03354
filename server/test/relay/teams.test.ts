import { budgetSchema, createBudget } from '@weir/contract/limits/budgets';
import { runSchema } from '@weir/contract/limits/runs';
import { logSchema } from '@weir/contract/logs';
import { role } from '@weir/contract/roles';
import { teamSchema, teamWithMembersSchema } from '@weir/contract/teams/teams';
import { tokenSchema } from '@weir/contract/tokens';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../src/store/ledger/verify.ts';
import type { TestUser } from '../app/app.ts';
import { buildRelayApp, type RelayApp, testPrice } from '../app/relay-app.ts';
import { promptTokens } from '../oracles/count-tokens.ts';

let relay: RelayApp;
let admin: TestUser;
beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  admin = await relay.app.addUser('team-admin', role.admin);
});
afterAll(() => relay.close());

const messages = [{ role: 'user', content: 'hi' }];
const prompt = promptTokens(messages);
const usage = { prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 };
/** What each call of these tests costs, and holds. */
const cost = testPrice({ prompt, completion: 1 });

const ask = (key: string) => {
  relay.upstream.behave(() => ({ words: 1, usage }));
  return relay.ask({ key: `sk-${key}`, body: { messages, max_tokens: 1 } });
};
const statusOf = async (key: string): Promise<number> => (await ask(key)).status;

const read = async (by: TestUser, id: number) =>
  v.parse(teamWithMembersSchema, await by.data('GET', `/api/team/${id}`));
const teamsOf = async (by: TestUser) => v.parse(v.array(teamSchema), await by.data('GET', '/api/team/'));

/** A team with a balance, and a manager. */
const addTeam = async (name: string, manager: TestUser, quota = 1_000_000): Promise<number> => {
  const made = await admin.data('POST', '/api/team/', { name, manager: manager.username });
  const { id } = v.parse(teamWithMembersSchema, made);
  await admin.data('POST', '/api/topup', { user_id: id, quota });
  return id;
};
const addMember = async (team: number, by: TestUser, member: TestUser): Promise<number> => {
  const made = await by.data('POST', `/api/team/${team}/member`, { username: member.username });
  const { people } = v.parse(teamWithMembersSchema, made);
  return people.find(({ user_id: id }) => id === member.id)?.id ?? 0;
};
const addKey = async (team: number, by: TestUser, name: string) =>
  v.parse(tokenSchema, await by.data('POST', `/api/team/${team}/token/`, { name, unlimited_quota: true }));

test('keys of a team spend its one balance, by whichever member they were made, and the own balances of members are left alone', async () => {
  const [manager, member] = [await relay.app.addUser('lead'), await relay.app.addUser('dev')];
  const team = await addTeam('alpha', manager, 3 * cost);
  await addMember(team, manager, member);
  const keys = [await addKey(team, manager, 'ci'), await addKey(team, member, 'laptop')];
  for (const { key } of [...keys, ...keys.slice(0, 1)]) expect(await statusOf(key)).toBe(200);
  // Spent to the last unit.
  const empty = await ask(keys[1]?.key ?? '');
  expect([empty.status, empty.error['code']]).toEqual([403, 'insufficient_user_quota']);
  await relay.settled();
  const seen = await read(member, team);
  expect(seen).toMatchObject({ name: 'alpha', role: 'member', members: 2, quota: 0, used_quota: 3 * cost });
  expect(seen.people.map(({ username, role: as, tokens, used_quota: used }) => [username, as, tokens, used])).toEqual([
    ['lead', 'manager', 1, 2 * cost],
    ['dev', 'member', 1, cost],
  ]);
  for (const { id } of [manager, member]) expect(await relay.userBalance(id)).toMatchObject({ used: 0 });
  const statement = await manager.data('GET', `/api/team/${team}/statement?month=`);
  expect(statement).toMatchObject({ user_id: team, username: 'alpha', credited: 3 * cost, used: 3 * cost, closing: 0 });
  expect((await manager.call('GET', `/api/team/${team}/statement/export`)).text).toContain('closing,,,,,0');
  expect((await verifyLedger(relay.app.db)).findings).toEqual([]);
});

test('members see and change the keys that they made alone, managers all of them; others do not learn that there is a team', async () => {
  const [manager, member, stranger] = [
    await relay.app.addUser('lead2'),
    await relay.app.addUser('dev2'),
    await relay.app.addUser('stranger2'),
  ];
  const team = await addTeam('beta', manager);
  await addMember(team, manager, member);
  const path = `/api/team/${team}/token/`;
  const [theirs, own] = [await addKey(team, manager, 'production'), await addKey(team, member, 'mine')];
  const names = async (by: TestUser) =>
    v.parse(v.array(tokenSchema), await by.data('GET', path)).map(({ name, key }) => [name, key.length]);
  // Keys are whole for the member that made them alone.
  expect(await names(member)).toEqual([['mine', 48]]);
  expect(await names(manager)).toEqual([
    ['mine', 7],
    ['production', 48],
  ]);
  const disable = (by: TestUser, id: number) => by.refused('PUT', `${path}?status_only=true`, { id, status: 2 });
  expect(await disable(member, theirs.id)).toBe('Record not found');
  expect(await member.refused('GET', `${path}${theirs.id}`)).toBe('Record not found');
  expect(await member.refused('DELETE', `${path}${theirs.id}`)).toBe('Record not found');
  expect(await member.refused('POST', `${path}roll`, { id: theirs.id, roll_id: 'a-roll-of-another' })).toBe(
    'Record not found',
  );
  for (const [method, address, body] of [
    ['GET', `/api/team/${team}`, undefined],
    ['GET', path, undefined],
    ['POST', path, { name: 'x' }],
    ['GET', `/api/team/${team}/statement?month=`, undefined],
    ['POST', `/api/team/${team}/member`, { username: 'stranger2' }],
    ['DELETE', `/api/team/${team}/member/${stranger.id}`, undefined],
    ['POST', `/api/team/${team}/topup`, { key: 'x' }],
  ] as const)
    expect(await stranger.refused(method, address, body), address).toBe('Record not found');
  expect(await teamsOf(stranger)).toEqual([]);
  for (const [method, address, body] of [
    ['GET', `/api/team/${team}/statement?month=`, undefined],
    ['POST', `/api/team/${team}/member`, { username: 'stranger2' }],
    ['PUT', `/api/team/${team}/member`, { user_id: member.id, role: 'manager' }],
    ['DELETE', `/api/team/${team}/member/${manager.id}`, undefined],
    ['POST', `/api/team/${team}/topup`, { key: 'x' }],
  ] as const)
    expect(await member.refused(method, address, body), address).toBe('Only a manager of the team can do this');
  await manager.data('PUT', `${path}?status_only=true`, { id: own.id, status: 2 });
  expect(await statusOf(own.key)).toBe(401);
});

test('a member who leaves takes nothing along: the keys stay with the team, disabled, and the person may come back', async () => {
  const [manager, member] = [await relay.app.addUser('lead3'), await relay.app.addUser('dev3')];
  const [team, second] = [await addTeam('gamma', manager), await addTeam('delta', manager)];
  const membership = await addMember(team, manager, member);
  await addMember(second, manager, member);
  expect((await teamsOf(member)).map(({ name }) => name)).toEqual(['delta', 'gamma']);
  const key = await addKey(team, member, 'work');
  const elsewhere = await addKey(second, member, 'elsewhere');
  expect(await statusOf(key.key)).toBe(200);
  await member.data('DELETE', `/api/team/${team}/member/${member.id}`);
  expect(await statusOf(key.key)).toBe(401);
  expect(await statusOf(elsewhere.key)).toBe(200);
  expect((await teamsOf(member)).map(({ name }) => name)).toEqual(['delta']);
  expect(await member.refused('GET', `/api/team/${team}/token/`)).toBe('Record not found');
  // A manager may let the key work again, under another value.
  await manager.data('PUT', `/api/team/${team}/token/?status_only=true`, { id: key.id, status: 1 });
  const rolled = v.parse(
    tokenSchema,
    await manager.data('POST', `/api/team/${team}/token/roll`, { id: key.id, roll_id: 'after-a-member-left' }),
  );
  expect([await statusOf(rolled.key), await statusOf(key.key)]).toEqual([200, 401]);
  expect(await addMember(team, manager, member)).toBe(membership);
  // A banned member calls no more through any team; a deleted one is in none.
  await admin.data('POST', '/api/user/manage', { username: 'dev3', action: 'disable' });
  expect(await statusOf(elsewhere.key)).toBe(401);
  await admin.data('DELETE', `/api/user/${member.id}`);
  expect((await read(manager, team)).people.map(({ username }) => username)).toEqual(['lead3']);
});

test('a team keeps a manager, and no name, role or password of an account makes it a person', async () => {
  const [manager, member] = [await relay.app.addUser('lead4'), await relay.app.addUser('dev4')];
  const team = await addTeam('epsilon', manager);
  await addMember(team, manager, member);
  const members = `/api/team/${team}/member`;
  const last = 'The team would have no manager: make another member a manager first';
  expect(await manager.refused('DELETE', `${members}/${manager.id}`)).toBe(last);
  expect(await manager.refused('PUT', members, { user_id: manager.id, role: 'member' })).toBe(last);
  await manager.data('PUT', members, { user_id: member.id, role: 'manager' });
  await manager.data('DELETE', `${members}/${manager.id}`);
  expect((await read(member, team)).people.map(({ username }) => username)).toEqual(['dev4']);
  await admin.data('DELETE', `${members}/${member.id}`);
  expect(await read(admin, team)).toMatchObject({ members: 0, role: '' });

  expect(await admin.refused('POST', members, { username: 'epsilon' })).toBe('A team cannot be a member of a team');
  expect(await admin.refused('POST', members, { username: 'no-such-user' })).toContain('does not exist');
  expect(await admin.refused('POST', '/api/team/', { name: 'lead4' })).toContain('already');
  expect(await member.refused('POST', '/api/team/', { name: 'mine' })).toContain('permission');
  const noLogin = 'A team is an account without a sign-in: it has no password and no role';
  const root = await relay.app.root();
  expect(await admin.refused('PUT', '/api/user/', { id: team, password: 'correct horse 9' })).toBe(noLogin);
  expect(await root.refused('POST', '/api/user/manage', { username: 'epsilon', action: 'promote' })).toBe(noLogin);
  expect(await root.refused('PUT', '/api/user/', { id: team, role: 10 })).toBe(noLogin);
  for (const password of ['', 'x'])
    expect(
      (await relay.app.visitor().call('POST', '/api/user/login', { body: { username: 'epsilon', password } })).json,
    ).toMatchObject({ success: false });
  // Administrators change the account as that of a user.
  await admin.data('PUT', '/api/user/', { id: team, display_name: 'Team Epsilon' });
  expect(await admin.data('GET', `/api/user/${team}`)).toMatchObject({ team: true, display_name: 'Team Epsilon' });
});

test('1,000 parallel calls of a member with a budget for ten serve ten, while the team goes on', async () => {
  const [manager, member] = [await relay.app.addUser('lead5'), await relay.app.addUser('dev5')];
  const team = await addTeam('zeta', manager, 10_000_000);
  const membership = await addMember(team, manager, member);
  const keys = [await addKey(team, member, 'one'), await addKey(team, member, 'two')];
  const other = await addKey(team, manager, 'other');
  const budget = { scope: 'member', subject_id: membership, period: 'month', zone: 'UTC', amount: 10 * cost };
  expect(await member.refused('POST', createBudget.path, budget)).toContain('no such token, user, member or model');
  const made = v.parse(budgetSchema, await manager.data('POST', createBudget.path, budget));
  expect(made).toMatchObject({ scope: 'member', subject_name: 'dev5', owner: 'zeta', by_admin: false });
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, index) => statusOf(keys[index % 2]?.key ?? '')));
  expect(answers.filter((status) => status === 200)).toHaveLength(10);
  expect(new Set(answers)).toEqual(new Set([200, 403]));
  expect(await statusOf(other.key)).toBe(200);
  await relay.settled();
  expect(await manager.data('GET', `${createBudget.path}${made.id}`)).toMatchObject({ used: 10 * cost, held: 0 });
  // Of the whole team, by its manager; of an administrator's, the manager sees and changes nothing.
  const whole = { ...budget, scope: 'user', subject_id: team, period: 'day' };
  v.parse(budgetSchema, await manager.data('POST', createBudget.path, whole));
  const byAdmin = v.parse(budgetSchema, await admin.data('POST', createBudget.path, { ...whole, period: 'week' }));
  expect(await manager.refused('DELETE', `${createBudget.path}${byAdmin.id}`)).toContain('The administrator has set');
  expect(v.parse(v.array(budgetSchema), await manager.data('GET', createBudget.path))).toHaveLength(3);
  expect(await member.data('GET', createBudget.path)).toEqual([]);
  expect((await verifyLedger(relay.app.db)).findings).toEqual([]);
});

test('a manager redeems a code for the team, once', async () => {
  const manager = await relay.app.addUser('lead6');
  const team = await addTeam('eta', manager, 0);
  const made = await admin.data('POST', '/api/redemption/', { name: 'for teams', quota: 500, count: 1 });
  const [key] = v.parse(v.array(v.string()), made);
  expect(await manager.data('POST', `/api/team/${team}/topup`, { key })).toBe(500);
  expect(await manager.refused('POST', `/api/team/${team}/topup`, { key })).toContain('already been used');
  expect(await read(manager, team)).toMatchObject({ quota: 500 });
  expect((await relay.userBalance(manager.id)).available).toBe(0);
});

test('managers read the log of a team, its charges, refusals and runs; members those of the tokens that they made; others none', async () => {
  const [manager, member, stranger] = [
    await relay.app.addUser('lead-log'),
    await relay.app.addUser('dev-log'),
    await relay.app.addUser('stranger-log'),
  ];
  const team = await addTeam('logged', manager, 2 * cost);
  await addMember(team, manager, member);
  const [theirs, own] = [await addKey(team, manager, 'production'), await addKey(team, member, 'mine')];
  const asRun = { 'x-run-id': 'nightly' };
  relay.upstream.behave(() => ({ words: 1, usage }));
  for (const { key } of [theirs, own, own])
    await relay.ask({ key: `sk-${key}`, body: { messages, max_tokens: 1 }, headers: asRun });
  await relay.settled();
  const logs = async (by: TestUser, query: string) =>
    v.parse(v.array(logSchema), await by.data('GET', `/api/log/self?team=${team}${query}`));
  const names = async (by: TestUser, query = '') => (await logs(by, query)).map(({ token_name: name }) => name);
  expect(await names(manager, '&type=2')).toEqual(['mine', 'production']);
  await expect.poll(() => names(manager, '&type=20'), { timeout: 20_000 }).toEqual(['mine']);
  expect(await names(member, `&type=20&token_id=${own.id}`)).toEqual(['mine']);
  expect(await names(member, `&type=2&token_id=${own.id}`)).toEqual(['mine']);
  // The own log of a person has no calls of a team.
  expect(await manager.data('GET', '/api/log/self?type=2')).toEqual([]);
  const [mine, production] = await logs(manager, '&type=2');
  expect(mine).toMatchObject({ user_id: team, username: 'logged', channel: 0, channel_name: '', quota: cost });
  const [refused] = await logs(manager, '&type=20');
  const sums = `/api/log/self/stat?team=${team}&type=2`;
  expect(await manager.data('GET', sums)).toMatchObject({ quota: 2 * cost });
  expect(await manager.data('GET', `/api/log/self/count?team=${team}&type=2`)).toMatchObject({ total: 2 });
  const file = (await manager.call('GET', `/api/log/self/export?team=${team}`)).text;
  expect(file.split('\r\n').filter((line) => /,(mine|production),/.test(line))).toHaveLength(2);
  const runs = v.parse(v.array(runSchema), await manager.data('GET', '/api/run/'));
  expect(runs.map(({ name, used }) => [name, used])).toEqual([['nightly', 2 * cost]]);

  const onlyManagers = 'Only a manager of the team can do this';
  expect(await member.refused('GET', `/api/log/self?team=${team}`)).toBe(onlyManagers);
  expect(await member.refused('GET', `/api/log/self?team=${team}&token_id=${theirs.id}`)).toBe(onlyManagers);
  for (const path of ['', '/stat', '/count', '/export'])
    expect(await stranger.refused('GET', `/api/log/self${path}?team=${team}`), path).toBe('Record not found');

  /** Whether a caller sees the charge of each call, the refusal and the run. */
  const sees = async (by: TestUser) => {
    const paths = [
      `log/${mine?.id}/charge`,
      `log/${production?.id}/charge`,
      `log/${refused?.id}/refusal`,
      `run/${runs[0]?.id}`,
    ];
    const answers = await Promise.all(paths.map((path) => by.call('GET', `/api/${path}`)));
    return answers.map(({ json }) => json['success']);
  };
  expect(await sees(manager)).toEqual([true, true, true, true]);
  expect(await sees(member)).toEqual([true, false, true, false]);
  expect(await sees(stranger)).toEqual([false, false, false, false]);
  // Channels stay with the operator.
  expect(await manager.data('GET', `/api/log/${mine?.id}/charge`)).toMatchObject({ attempts: [{ channel: 0 }] });
  expect(await stranger.refused('POST', `/api/run/${runs[0]?.id}/end`)).toBe('Record not found');
  expect(await manager.data('POST', `/api/run/${runs[0]?.id}/end`)).toMatchObject({ end: 'stopped' });
});
