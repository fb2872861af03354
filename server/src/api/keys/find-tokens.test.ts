import { role } from '@weir/contract/roles';
import { tokenSchema } from '@weir/contract/tokens';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { createTokenKey } from '../../store/credentials/token-key.ts';

let app: TestApp;
let admin: TestUser;
let owner: TestUser;
beforeAll(async () => {
  app = await buildTestApp({ frozen: true });
  [admin, owner] = [await app.addUser('manager', role.admin), await app.addUser('owner')];
});
afterAll(() => app.close());

const seconds = () => Math.floor(app.clock.now() / 1000);
const find = (text: string) => admin.data('POST', '/api/token/find', { text });
const create = async (user: TestUser, name: string) =>
  v.parse(tokenSchema, await user.data('POST', '/api/token/', { name }));

test('a leaked key names its owner, alone or inside a text, also when it was replaced or deleted, and is logged nowhere', async () => {
  const { id, key } = await create(owner, 'leaked');
  const found = { id, user_id: owner.id, username: 'owner', name: 'leaked', deleted_time: 0, manageable: true };
  for (const text of [key, `sk-${key}`, `sk-${key}-17`, `curl -H "Authorization: Bearer sk-${key}"\nand ${key}.`]) {
    expect(await find(text)).toEqual([
      {
        ...found,
        valid_until: 0,
        status: 1,
        accessed_time: seconds(),
        last_address: '',
        key: `${key.slice(0, 3)}…${key.slice(-3)}`,
      },
    ]);
  }
  await owner.data('POST', '/api/token/roll', { id, roll_id: 'a-roll-after-a-leak', overlap_seconds: 60 });
  const until = seconds() + 60;
  expect(await find(key)).toMatchObject([{ ...found, valid_until: until }]);
  await owner.data('DELETE', `/api/token/${id}`);
  expect(await find(key)).toMatchObject([{ id, manageable: false }]);
  const audit = await app.db.read.selectFrom('audit').selectAll().where('action', '=', 'find_token').execute();
  expect(audit.map((entry) => entry.subject)).toEqual(Array.from({ length: 6 }, () => `token ${id}`));
  expect(JSON.stringify(audit)).not.toContain(key);
  expect(app.logged()).not.toContain(key);
});

test('several keys are found at once, those of the same or a higher role without a way to change them', async () => {
  const peer = await app.addUser('peer', role.admin);
  const [mine, theirs] = [await create(admin, 'mine'), await create(peer, 'theirs')];
  expect(await find(`${mine.key} ${theirs.key} ${createTokenKey()}`)).toMatchObject([
    { id: mine.id, manageable: true },
    { id: theirs.id, username: 'peer', manageable: false },
  ]);
});

test('what is no key, too much, or asked too often is refused', async () => {
  const refused = (text: unknown) => admin.refused('POST', '/api/token/find', { text });
  expect(await refused('sk-1234')).toMatch(/holds no key/);
  expect(await refused(Array.from({ length: 51 }, createTokenKey).join(' '))).toMatch(/more than 50 keys/);
  expect(await refused('x'.repeat(20_001))).toMatch(/text/);
  expect(await refused(undefined)).toMatch(/text/);
  expect(await owner.refused('POST', '/api/token/find', { text: createTokenKey() })).toMatch(/insufficient permission/);
  expect((await app.visitor().call('POST', '/api/token/find', { body: { text: createTokenKey() } })).status).toBe(401);
  app.clock.advance(61_000);
  for (let count = 0; count < 30; count += 1) expect(await find(createTokenKey())).toEqual([]);
  expect((await admin.call('POST', '/api/token/find', { body: { text: createTokenKey() } })).status).toBe(429);
  app.clock.advance(61_000);
  expect(await find(createTokenKey())).toEqual([]);
});
