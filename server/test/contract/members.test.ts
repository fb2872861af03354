import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJson, type Json } from '../parsing/json.ts';
import { buildRelayApp, type RelayApp } from '../app/relay-app.ts';

let relay: RelayApp;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel({ models: 'weir-test,other', group: 'default,vip', other: '2024-03-01-preview' });
  await relay.root.data('POST', '/api/redemption/', { name: 'gift', quota: 100, count: 1 });
  const { key } = parse(await relay.root.data('POST', '/api/token/', { name: 'own', unlimited_quota: true }));
  await relay.ask({ key: `sk-${String(key)}` });
  await relay.settled();
});
afterAll(() => relay.close());

const parse = (value: unknown): Json => (isJson(value) ? value : {});
const firstOf = async (path: string): Promise<Json> => {
  const rows = await relay.root.data('GET', path);
  return parse(Array.isArray(rows) ? rows[0] : undefined);
};

/** The members of specification §3 by type: `i` whole numbers, `n` numbers, `t` texts, `b` switches. */
const members = {
  '/api/user/?p=0':
    'id:i username:t display_name:t password:t email:t github_id:t wechat_id:t group:t quota:i used_quota:i request_count:i role:i status:i',
  '/api/token/?p=0':
    'id:i name:t key:t status:i used_quota:i remain_quota:i unlimited_quota:b created_time:i expired_time:i',
  '/api/channel/?p=0':
    'id:i name:t type:i key:t base_url:t other:t model_mapping:t models:t group:t status:i priority:i weight:i response_time:i test_time:i balance:n balance_updated_time:i',
  '/api/redemption/?p=0': 'id:i name:t key:t status:i quota:i created_time:i redeemed_time:i',
  '/api/log/?p=0&type=2':
    'id:i created_at:i type:i channel:i username:t token_name:t model_name:t prompt_tokens:i completion_tokens:i quota:i content:t',
  '/api/option/': 'key:t value:t',
} as const;

const kindOf = (value: unknown, expected: string | undefined): string => {
  if (typeof value === 'string') return 't';
  if (typeof value === 'boolean') return 'b';
  return typeof value === 'number' && (expected === 'n' || Number.isSafeInteger(value)) ? (expected ?? 'n') : 'none';
};

test.each(Object.entries(members))('API-05 %s answers with every member of the specification', async (path, listed) => {
  const row = await firstOf(path);
  for (const [name = '', kind] of listed.split(' ').map((each) => each.split(':'))) {
    expect(kindOf(row[name], kind), `${path} ${name}: ${JSON.stringify(row[name])}`).toBe(kind);
  }
});

test('API-05 a password is blank, a channel has no key, and its models and groups are comma-joined', async () => {
  expect((await firstOf('/api/user/?p=0'))['password']).toBe('');
  expect(await firstOf('/api/channel/?p=0')).toMatchObject({
    key: '',
    models: 'weir-test,other',
    group: 'default,vip',
    other: '2024-03-01-preview',
  });
});

test('API-05 times are unix seconds, and a key that never expires says -1', async () => {
  const now = Date.now() / 1000;
  const token = await firstOf('/api/token/?p=0');
  expect(token['expired_time']).toBe(-1);
  for (const time of [token['created_time'], (await firstOf('/api/log/?p=0&type=2'))['created_at']])
    expect(Math.abs(Number(time) - now)).toBeLessThan(3600);
  expect((await firstOf('/api/redemption/?p=0'))['redeemed_time']).toBe(0);
});
