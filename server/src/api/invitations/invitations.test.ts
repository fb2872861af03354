import { invitationSchema } from '@weir/contract/invitations/invitations';
import { keyPresetSchema } from '@weir/contract/invitations/key-presets';
import { role } from '@weir/contract/roles';
import { teamWithMembersSchema } from '@weir/contract/teams/teams';
import { tokenSchema } from '@weir/contract/tokens';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, createCaller, type TestApp, type TestUser, testPassword } from '../../../test/app/app.ts';
import { verifyLedger } from '../../store/ledger/verify.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await buildTestApp();
  admin = await app.addUser('inviter', role.admin);
});
afterAll(() => app.close());

const seconds = (): number => Math.floor(app.clock.now() / 1000);
const register = (username: string, code: string) =>
  app.visitor().call('POST', '/api/user/register', { body: { username, password: testPassword, aff_code: code } });
const refusalOf = async (username: string, code: string): Promise<unknown> =>
  (await register(username, code)).json['message'];
const signIn = async (username: string) => {
  const caller = createCaller(app.url);
  await caller.data('POST', '/api/user/login', { username, password: testPassword });
  return caller;
};
const tokensOf = async (by: { data: TestUser['data'] }, path = '/api/token/') =>
  v.parse(v.array(tokenSchema), await by.data('GET', path));

const preset = { name: 'Course', remain_quota: 5000, days: 30, models: 'gpt-5,gpt-5-mini', subnet: '10.0.0.0/8' };
const addPreset = async (name: string) =>
  v.parse(keyPresetSchema, await admin.data('POST', '/api/key-preset/', { ...preset, name }));
const invite = async (terms: Readonly<Record<string, unknown>>) =>
  v.parse(invitationSchema, await admin.data('POST', '/api/invitation/', { name: 'Autumn school', ...terms }));

test('an invitation opens an account in its group, with a token by its preset, also while registration is closed', async () => {
  const { id } = await addPreset('Course');
  const invitation = await invite({ group: 'vip', preset_id: id });
  expect(invitation).toMatchObject({ group: 'vip', preset: 'Course', uses: 0, uses_max: 1, end: '' });
  const root = await app.root();
  await root.data('PUT', '/api/option/', { key: 'RegisterEnabled', value: 'false' });
  expect(await refusalOf('outsider', 'AAAA')).toContain('registration');
  expect((await register('invited', invitation.code)).json).toMatchObject({ success: true });
  const user = await signIn('invited');
  expect(await user.data('GET', '/api/user/self')).toMatchObject({ group: 'vip', quota: 0 });
  const [token, ...others] = await tokensOf(user);
  expect(others).toEqual([]);
  expect(token).toMatchObject({ name: 'Course', remain_quota: 5000, unlimited_quota: false, models: preset.models });
  expect(token?.expired_time).toBeGreaterThan(seconds() + 29 * 86_400);
  // It is used up, which an account says that would be the second.
  expect(await refusalOf('second', invitation.code)).toContain('opens no more accounts');
  expect(await admin.data('GET', '/api/user/search?keyword=second')).toEqual([]);
  await root.data('PUT', '/api/option/', { key: 'RegisterEnabled', value: 'true' });
  expect((await register('plain', '')).json).toMatchObject({ success: true });
  expect(await tokensOf(await signIn('plain'))).toMatchObject([{ name: 'default', unlimited_quota: true }]);
});

test('an invitation to a team makes the new account a member, with a token that spends the balance of the team', async () => {
  const made = await admin.data('POST', '/api/team/', { name: 'lab', manager: 'inviter' });
  const { id: team } = v.parse(teamWithMembersSchema, made);
  const { id } = await addPreset('Lab');
  const invitation = await invite({ team_id: team, preset_id: id, uses_max: 3 });
  expect(invitation.team).toBe('lab');
  // Of five at once three are let in.
  const names = [1, 2, 3, 4, 5].map((each) => `student${each}`);
  const answers = await Promise.all(names.map((name) => register(name, invitation.code)));
  const opened = answers.filter(({ json }) => json['success'] === true);
  expect(opened).toHaveLength(3);
  const name = names.find((_, index) => answers[index]?.json['success'] === true) ?? '';
  const user = await signIn(name);
  expect(await user.data('GET', '/api/team/')).toMatchObject([{ name: 'lab', role: 'member', members: 4 }]);
  const [token, ...others] = await tokensOf(user, `/api/team/${team}/token/`);
  expect(others).toEqual([]);
  // Its member sees it whole.
  expect(token).toMatchObject({ name: 'Lab', user_id: team, remain_quota: 5000 });
  expect(token?.key).toHaveLength(48);
  expect((await tokensOf(admin, `/api/team/${team}/token/`)).map(({ key }) => key.length)).toEqual([7, 7, 7]);
  expect(await tokensOf(user)).toMatchObject([{ name: 'default' }]);
  const [listed] = v.parse(v.array(invitationSchema), await admin.data('GET', '/api/invitation/'));
  expect(listed).toMatchObject({ uses: 3, end: 'used' });
  expect((await verifyLedger(app.db)).findings).toEqual([]);
});

test('an invitation that is expired or deleted, or whose team is gone, opens nothing', async () => {
  const made = await admin.data('POST', '/api/team/', { name: 'gone' });
  const { id: team } = v.parse(teamWithMembersSchema, made);
  const [late, withdrawn, orphan] = [
    await invite({ expires_at: seconds() + 60 }),
    await invite({}),
    await invite({ team_id: team, uses_max: 9 }),
  ];
  app.clock.advance(61_000);
  await admin.data('DELETE', `/api/invitation/${withdrawn.id}`);
  await admin.data('DELETE', `/api/user/${team}`);
  for (const { code } of [late, withdrawn, orphan])
    expect(await refusalOf('latecomer', code)).toContain('opens no more accounts');
  expect(await admin.refused('DELETE', `/api/invitation/${withdrawn.id}`)).toBe('Record not found');
});

test('what does not fit is refused, and users see presets and change none', async () => {
  const { id } = await addPreset('Fixed');
  for (const [terms, reason] of [
    [{ group: 'no-such-group' }, 'group'],
    [{ team_id: admin.id }, 'There is no such team'],
    [{ preset_id: 999_999 }, 'There is no such key preset'],
    [{ uses_max: 0 }, 'uses_max'],
    [{ name: ' ' }, 'name'],
  ] as const)
    expect(await admin.refused('POST', '/api/invitation/', { name: 'x', ...terms }), JSON.stringify(terms)).toContain(
      reason,
    );
  for (const wrong of [{ subnet: 'nowhere' }, { days: -1 }, { remain_quota: -1 }, { name: '' }])
    expect(await admin.refused('POST', '/api/key-preset/', { ...preset, ...wrong })).not.toBe('');
  const changed = await admin.data('PUT', '/api/key-preset/', {
    ...preset,
    id,
    name: 'Renamed',
    unlimited_quota: true,
  });
  expect(changed).toMatchObject({ id, name: 'Renamed', unlimited_quota: true, remain_quota: 0 });
  await invite({ preset_id: id });
  expect(await admin.refused('DELETE', `/api/key-preset/${id}`)).toContain('delete them first');
  const user = await app.addUser('reader');
  expect(
    v.parse(v.array(keyPresetSchema), await user.data('GET', '/api/key-preset/')).map(({ id: of }) => of),
  ).toContain(id);
  for (const [method, path] of [
    ['POST', '/api/key-preset/'],
    ['DELETE', `/api/key-preset/${id}`],
    ['GET', '/api/invitation/'],
    ['POST', '/api/invitation/'],
  ] as const)
    expect(await user.refused(method, path, method === 'POST' ? { name: 'x' } : undefined)).toContain(
      'insufficient permission',
    );
});
