import { expect, test } from 'vitest';
import { buildTestApp } from '../../test/app/app.ts';
import { openTestDatabase } from '../../test/database/database.ts';
import { createSecrets } from '../store/credentials/secrets.ts';
import { runFirstStart } from './first-start.ts';

test('a key and an access token that the operator chose work from the first start on', async () => {
  await using stack = new AsyncDisposableStack();
  const key = 'operators1key2of3any4form';
  const app = await buildTestApp({ initialRootToken: key, initialRootAccessToken: 'an-access-token-of-the-operator' });
  stack.defer(app.close);
  const root = app.visitor({ authorization: 'an-access-token-of-the-operator' });
  expect(await root.data('GET', '/api/user/self')).toMatchObject({ username: 'root', quota: 500_000_000_000_000 });
  expect(await root.data('GET', '/api/token/')).toMatchObject([
    {
      id: 1,
      name: 'Initial Root Token',
      key,
      unlimited_quota: true,
      remain_quota: 500_000_000_000_000,
      expired_time: -1,
    },
  ]);
  expect((await app.visitor({ authorization: `Bearer sk-${key}` }).call('GET', '/v1/models')).status).toBe(200);
  expect((await app.visitor({ authorization: `Bearer sk-${key}x` }).call('GET', '/v1/models')).status).toBe(401);
});

test("root's quota is an entry of the ledger", async () => {
  await using stack = new AsyncDisposableStack();
  const app = await buildTestApp();
  stack.defer(app.close);
  const entries = await app.db.read.selectFrom('ledger').select(['op_key', 'kind', 'user_id', 'amount']).execute();
  expect(entries).toEqual([{ op_key: 'grant:root', kind: 'grant', user_id: 1, amount: 500_000_000_000_000 }]);
});

test('AUTH-12 of nodes that start for the first time at once one creates root and returns its password', async () => {
  await using stack = new AsyncDisposableStack();
  const db = await openTestDatabase();
  stack.defer(db.close);
  const options = {
    db,
    secrets: createSecrets(Buffer.alloc(32, 3)),
    clock: { now: () => 1_000_000 },
    hashPassword: async (password: string) => `hash of ${password}`,
    password: undefined,
    token: undefined,
    accessToken: undefined,
  };
  const results = await Promise.all(Array.from({ length: 5 }, () => runFirstStart(options)));
  const passwords = results.filter((password) => password !== undefined);
  expect(passwords).toHaveLength(1);
  const users = await db.read.selectFrom('users').select(['username', 'password_hash']).execute();
  expect(users).toEqual([{ username: 'root', password_hash: `hash of ${passwords[0]}` }]);
});
