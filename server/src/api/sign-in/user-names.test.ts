import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUser } from '../../../test/database/accounts.ts';
import { buildTestApp, type TestApp, testPassword } from '../../../test/app/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

const taken = 'Username already taken';
const invalid = 'Username must have at most 12 characters, without @ and invisible characters';

/** The answer of each way to a new name: registration, an administrator, an administrator's edit, the account's own. */
const namedEverywhere = async (username: string): Promise<readonly unknown[]> => {
  const root = await app.root();
  const own = await app.addUser(`own${crypto.randomUUID().slice(0, 8)}`);
  const account = { username, password: testPassword, display_name: 'x' };
  const replies = [
    await app.visitor().call('POST', '/api/user/register', { body: account }),
    await root.call('POST', '/api/user/', { body: { ...account, role: 1 } }),
    await root.call('PUT', '/api/user/', { body: { id: own.id, username } }),
    await own.call('PUT', '/api/user/self', { body: { username } }),
  ];
  return replies.map(({ json }) => json['message']);
};
const registered = async (username: string): Promise<unknown> =>
  (await app.visitor().call('POST', '/api/user/register', { body: { username, password: testPassword } })).json[
    'message'
  ];
const everywhere = (message: string) => [message, message, message, message];

test.each([
  ['another person’s address', 'ann@mail.org', invalid],
  ['a zero-width space', 'ro\u200bot', invalid],
  ['a mark of direction', '\u202etoor', invalid],
  ['a letter that shows nothing', 'root\u3164', invalid],
  ['capitals', 'ROOT', taken],
  ['blanks around', ' root ', taken],
  ['wide letters', '\uff52\uff4f\uff4f\uff54', taken],
])('S13 no way to a new name takes one with %s', async (_, username, message) => {
  expect(await namedEverywhere(username)).toEqual(everywhere(message));
});

test('S13 an address signs its owner in: no other account can have it as a name', async () => {
  const owner = await app.addUser('owner');
  await setUser(app.db, owner.id, { email: 'own@mail.org' });
  expect(await registered('own@mail.org')).toBe(invalid);
  const self = await (await app.signIn('own@mail.org', testPassword)).data('GET', '/api/user/self');
  expect(self).toMatchObject({ id: owner.id });
});

test('S13 of names that differ in their case one is an account’s, also of those made at once', async () => {
  const names = ['\u00c9tienne', '\u00e9tienne', 'E\u0301TIENNE', '\u00c9TIENNE', 'e\u0301tienne'];
  const messages = await Promise.all(names.map(registered));
  expect(messages.filter((message) => message === '')).toHaveLength(1);
  expect(messages.filter((message) => message === taken)).toHaveLength(4);
  const self = await (await app.signIn(' \u00c9Tienne', testPassword)).data('GET', '/api/user/self');
  expect(self).toHaveProperty('username');
  expect(JSON.stringify(self)).toMatch(/"username":"\u00e9tienne"/i);
});

test('S13 names from before keep working, and no new one is like them', async () => {
  for (const username of ['alice', 'ALICE', 'bob@x.org', 'eve\u200b']) {
    const user = await app.addUser(username);
    const profile = { username, display_name: `of ${username.length}`, password: '' };
    await user.data('PUT', '/api/user/self', profile);
    await (await app.root()).data('PUT', '/api/user/', { id: user.id, username, display_name: 'edited', password: '' });
    expect(await user.data('GET', '/api/user/self')).toMatchObject({ username, display_name: 'edited' });
  }
  expect(await registered('Alice')).toBe(taken);
});

test('S13 the name of a deleted account is free again', async () => {
  expect(await registered('passing')).toBe('');
  await (await app.signIn('passing', testPassword)).data('DELETE', '/api/user/self');
  expect(await registered('Passing')).toBe('');
});
