import { createTokensOfUsers } from '@weir/contract/managed-tokens';
import { role } from '@weir/contract/roles';
import { tokenSchema } from '@weir/contract/tokens';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';
import type { Caller, TestUser } from '../../../test/app/app.ts';

let relay: RelayApp;
let admin: TestUser;
let owner: TestUser;
beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  [admin, owner] = [await relay.app.addUser('manager', role.admin), await relay.app.addUser('owner')];
  await relay.root.data('PUT', '/api/user/', { id: owner.id, quota: 1_000_000 });
});
afterAll(() => relay.close());

const listOf = ({ id }: TestUser) => `/api/user/${id}/token/`;
const tokenIn = (data: unknown) => v.parse(tokenSchema, data);
const status = async (key: string) => (await relay.ask({ key: `sk-${key}` })).status;

test('C19 an administrator creates, sees, limits, disables and deletes the keys of a user, with the whole key once', async () => {
  const made = tokenIn(
    await admin.data('POST', listOf(owner), {
      name: 'ci',
      remain_quota: 500,
      models: 'weir-test',
      subnet: '127.0.0.0/8',
    }),
  );
  expect(made).toMatchObject({ user_id: owner.id, remain_quota: 500, models: 'weir-test', subnet: '127.0.0.0/8' });
  expect(await status(made.key)).toBe(200);
  const masked = `${made.key.slice(0, 3)}…${made.key.slice(-3)}`;
  const listed = await admin.call('GET', `${listOf(owner)}?p=0`);
  expect(listed.json['data']).toMatchObject([{ id: made.id, key: masked }]);
  expect(listed.text).not.toContain(made.key);
  expect(await admin.data('GET', `${listOf(owner)}${made.id}`)).toMatchObject({ id: made.id, key: masked });
  expect(await owner.data('GET', `/api/token/${made.id}`)).toMatchObject({ key: made.key });

  const changed = await admin.data('PUT', listOf(owner), {
    id: made.id,
    remain_quota: 70,
    used_quota: 1e6,
    models: 'x',
  });
  expect(changed).toMatchObject({ key: masked, name: 'ci', models: 'x', subnet: '127.0.0.0/8' });
  expect(await status(made.key)).toBe(403);
  await admin.data('PUT', `${listOf(owner)}?status_only=true`, { id: made.id, status: 2 });
  expect(await status(made.key)).toBe(401);
  await admin.data('DELETE', `${listOf(owner)}${made.id}`);
  expect(await admin.data('GET', `${listOf(owner)}?p=0`)).toEqual([]);

  const noted = await relay.app.db.read
    .selectFrom('audit')
    .select(['actor_id', 'action', 'detail'])
    .where('subject', '=', `token ${made.id}`)
    .orderBy('id')
    .execute();
  expect(noted).toEqual([
    { actor_id: admin.id, action: 'create_token', detail: `user ${owner.id}` },
    { actor_id: admin.id, action: 'update_token', detail: 'models remain_quota' },
    { actor_id: admin.id, action: 'update_token', detail: 'status' },
    { actor_id: admin.id, action: 'delete_token', detail: `user ${owner.id}` },
  ]);
  expect(await relay.disagreements()).toEqual([]);
});

test('C19 one token is made for each user of a list, with the whole keys once, or for none', async () => {
  const users = [await relay.app.addUser('ann'), await relay.app.addUser('ben')];
  for (const { id } of users) await relay.root.data('PUT', '/api/user/', { id, quota: 1_000_000 });
  const terms = { name: 'course', remain_quota: 700, models: 'weir-test' };
  const tokens = () => relay.app.db.read.selectFrom('tokens').select('id').where('name', '=', 'course').execute();
  const ask = (caller: Caller, usernames: unknown) =>
    caller.refused('POST', '/api/user/tokens', { ...terms, usernames });
  expect(await ask(admin, ['ann', 'carl', 'ben', 'nemo'])).toBe('There is no user of this name: carl, nemo');
  expect(await ask(admin, ['ann', 'root'])).toMatch(/same or higher level/);
  expect(await ask(admin, [])).toBe('Name 1 to 100 users');
  expect(
    await ask(
      admin,
      Array.from({ length: 101 }, (_, index) => `user${index}`),
    ),
  ).toBe('Name 1 to 100 users');
  expect(await ask(admin, 'ann')).toMatch(/Invalid input/);
  expect(await ask(owner, ['ann'])).toMatch(/insufficient permission/);
  expect(await tokens()).toEqual([]);

  const answer = await admin.data('POST', '/api/user/tokens', { ...terms, usernames: ['ben', 'ann', 'ben'] });
  const made = v.parse(createTokensOfUsers.data, answer);
  expect(made.map(({ username, name }) => [username, name])).toEqual([
    ['ann', 'course'],
    ['ben', 'course'],
  ]);
  for (const { key, user_id: userId, id } of made) {
    expect(await status(key)).toBe(200);
    const listed = await admin.data('GET', `/api/user/${userId}/token/${id}`);
    expect(listed).toMatchObject({ user_id: userId, models: 'weir-test', key: `${key.slice(0, 3)}…${key.slice(-3)}` });
  }
  const noted = await relay.app.db.read
    .selectFrom('audit')
    .select(['actor_id', 'detail'])
    .where('action', '=', 'create_token')
    .where(
      'subject',
      'in',
      made.map(({ id }) => `token ${id}`),
    )
    .orderBy('id')
    .execute();
  expect(noted).toEqual(users.map(({ id }) => ({ actor_id: admin.id, detail: `user ${id}` })));
  expect(await relay.disagreements()).toEqual([]);
});

test('C19 lists of users in any order, at the same time, all get their tokens', async () => {
  const names = ['ann', 'ben', 'owner'];
  const lists = Array.from({ length: 12 }, (_, index) =>
    names.toSorted((one, other) => (index % 2 === 0 ? 1 : -1) * one.localeCompare(other)),
  );
  const answers = await Promise.all(
    lists.map((usernames, index) =>
      admin.data('POST', '/api/user/tokens', { name: `list ${index}`, remain_quota: 5, usernames }),
    ),
  );
  expect(answers.flat()).toHaveLength(36);
  expect(await relay.disagreements()).toEqual([]);
});

test('C19 the keys of users of the same or a higher role are out of reach, and those of another user not found', async () => {
  const peer = await relay.app.addUser('peer', role.admin);
  const other = await relay.app.addUser('bystander');
  const key = tokenIn(await peer.data('POST', '/api/token/', { name: 'mine' }));
  const foreign = tokenIn(await other.data('POST', '/api/token/', { name: 'other' }));
  const rollId = 'roll-of-another-user';
  const calls = (caller: Caller, target: TestUser, id: number) =>
    Promise.all([
      caller.refused('GET', `${listOf(target)}?p=0`),
      caller.refused('GET', `${listOf(target)}${id}`),
      caller.refused('POST', listOf(target), { name: 'mine too' }),
      caller.refused('PUT', listOf(target), { id, name: 'taken' }),
      caller.refused('DELETE', `${listOf(target)}${id}`),
      caller.refused('POST', `${listOf(target)}roll`, { id, roll_id: rollId }),
      caller.refused('POST', `${listOf(target)}roll/end`, { id }),
    ]);
  for (const target of [peer, relay.root]) {
    for (const message of await calls(admin, target, key.id)) expect(message).toMatch(/same or higher level/);
  }
  for (const message of await calls(owner, other, foreign.id)) expect(message).toMatch(/insufficient permission/);
  expect(await admin.refused('PUT', listOf(owner), { id: foreign.id, name: 'taken' })).toBe('Record not found');
  expect(await admin.refused('DELETE', `${listOf(owner)}${foreign.id}`)).toBe('Record not found');
  expect(await admin.refused('POST', `${listOf(owner)}roll`, { id: foreign.id, roll_id: rollId })).toBe(
    'Record not found',
  );
  expect(await admin.refused('GET', '/api/user/999999999/token/?p=0')).toBe('Record not found');
  expect(await admin.refused('POST', '/api/user/999999999/token/', { name: 'x' })).toBe('Record not found');
  expect(await admin.refused('POST', listOf(owner), { name: 'x', subnet: 'nowhere' })).toMatch(
    /invalid network segment/,
  );
  expect(await relay.root.data('GET', `${listOf(peer)}?p=0`)).toMatchObject([{ id: key.id, name: 'mine' }]);
});
