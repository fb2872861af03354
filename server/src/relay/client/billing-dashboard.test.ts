import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../../test/clients/raw-client.ts';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';
import type { RelayUser } from '../../../test/app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;
let unlimited: RelayUser;
const expires = 4_000_000_000;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser({ quota: 3_000_000, allocation: 1_000_000, token: { expired_time: expires } });
  unlimited = await relay.addUser({ quota: 2_000_000 });
  await relay.ask({ key: user.key });
  await relay.settled();
});
afterAll(() => relay.close());

const get = async (path: string, key = user.key) => {
  const answer = await sendRaw({ url: relay.url, method: 'GET', path, headers: { authorization: `Bearer ${key}` } });
  return { status: answer.status, json: answer.json };
};
const subscription = (amount: number, until: number) => ({
  status: 200,
  json: {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: amount,
    hard_limit_usd: amount,
    system_hard_limit_usd: amount,
    access_until: until,
  },
});
const usage = (total: number) => ({ status: 200, json: { object: 'list', total_usage: total } });
const spent = async (): Promise<number> => (await relay.tokenBalance(user.tokenId)).used;

test('OPT-DisplayTokenStatEnabled the billing pages show the key, or the account behind it', async () => {
  const used = await spent();
  expect(used).toBeGreaterThan(0);
  for (const prefix of ['', '/v1']) {
    expect(await get(`${prefix}/dashboard/billing/subscription`)).toEqual(subscription(2, expires));
    expect(await get(`${prefix}/dashboard/billing/usage?start_date=2020-01-01&end_date=2020-01-02`)).toEqual(
      usage((used / 500_000) * 100),
    );
  }
  expect(await get('/v1/dashboard/billing/subscription', unlimited.key)).toEqual(subscription(100_000_000, 0));

  await relay.setOption('DisplayTokenStatEnabled', 'false');
  expect(await get('/v1/dashboard/billing/subscription')).toEqual(subscription(6, 0));
  expect(await get('/v1/dashboard/billing/subscription', unlimited.key)).toEqual(subscription(4, 0));
  expect(await get('/v1/dashboard/billing/usage')).toEqual(usage((used / 500_000) * 100));
  await relay.setOption('DisplayTokenStatEnabled', 'true');
});

test('OPT-DisplayInCurrencyEnabled the billing pages show money, or quota units', async () => {
  await relay.setOption('DisplayInCurrencyEnabled', 'false');
  expect(await get('/v1/dashboard/billing/subscription')).toEqual(subscription(1_000_000, expires));
  expect(await get('/v1/dashboard/billing/usage')).toEqual(usage((await spent()) * 100));
  await relay.setOption('DisplayInCurrencyEnabled', 'true');
  await relay.setOption('QuotaPerUnit', '1000');
  expect(await get('/v1/dashboard/billing/subscription')).toEqual(subscription(1000, expires));
  await relay.setOption('QuotaPerUnit', '500000');
});

test('R30 a usage in cents has no tail of binary fractions', async () => {
  const { key, tokenId } = await relay.addUser({ quota: 2_000_000 });
  await relay.app.db.write.updateTable('tokens').set({ used: 1_377_445 }).where('id', '=', tokenId).execute();
  expect(await get('/v1/dashboard/billing/usage', key)).toEqual(usage(275.489));
});

test('RELAY-08 the billing pages are for keys alone', async () => {
  for (const path of ['/dashboard/billing/subscription', '/v1/dashboard/billing/usage']) {
    expect((await get(path, 'sk-unknown')).status).toBe(401);
    expect((await sendRaw({ url: relay.url, method: 'POST', path })).status).toBe(404);
  }
  expect((await get('/dashboard/billing/unheard-of')).status).toBe(404);
});
