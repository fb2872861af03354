import { expect, test } from 'vitest';
import { buildTestApp } from '../../test/app.ts';

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
  const entries = await app.db.query.selectFrom('ledger').select(['op_key', 'kind', 'user_id', 'amount']).execute();
  expect(entries).toEqual([{ op_key: 'grant:root', kind: 'grant', user_id: 1, amount: 500_000_000_000_000 }]);
});
