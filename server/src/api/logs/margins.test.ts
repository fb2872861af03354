import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Margins, marginsSchema } from '@weir/contract/margins';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { addChannel, addToken, setUser } from '../../../test/database/accounts.ts';
import { addNote, addUse } from '../../../test/database/logs.ts';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';
import type { NewLog } from '../../store/logs/log-columns.ts';

let app: TestApp;
let admin: TestUser;
let alice: TestUser;
let bob: TestUser;

const at = Date.UTC(2026, 9, 15, 12) / 1000;
const october = [Date.UTC(2026, 9, 1) / 1000, Date.UTC(2026, 10, 1) / 1000 - 1] as const;

const use = async (who: TestUser, values: Partial<NewLog>) => {
  const tokenId = await addToken(app.db, who.id, { unlimited_quota: 1 });
  const payer = { userId: who.id, tokenId, channelId: 1, tokenLimited: false };
  await addUse(app.db, payer, { created_at: at, ...values });
};

beforeAll(async () => {
  app = await buildTestApp({ frozen: true });
  app.clock.advance((at + 20 * 86_400) * 1000 - app.clock.now());
  admin = await app.addUser('admin', role.admin);
  alice = await app.addUser('alice');
  bob = await app.addUser('bob');
  await setUser(app.db, alice.id, { available: 1_000_000, group: 'vip' });
  await setUser(app.db, bob.id, { available: 1_000_000 });
  await addChannel(app.db, { id: 5, name: '=Main' });
  // 500,000 units are a dollar, 1,000,000,000 nano-dollars too.
  await use(alice, { quota: 1000, cost: 1_200_000, model_name: 'a', channel_id: 5 });
  await use(bob, { quota: 500, model_name: 'a', channel_id: 6 });
  await use(bob, { created_at: at + 60, quota: 200, cost: 500_000, model_name: 'b', channel_id: 6 });
  await use(bob, { created_at: october[1], quota: 7, cost: 1, model_name: 'c', channel_id: 6 });
  await use(bob, { created_at: october[1] + 1, quota: 90, cost: 5, model_name: 'later', channel_id: 6 });
  await use(bob, { created_at: october[0] - 1, quota: 90, cost: 5, model_name: 'earlier', channel_id: 6 });
  for (const [channel_id, cost] of [
    [5, 2500],
    [6, 500],
    [6, -1],
  ] as const)
    await addNote(app.db, { type: 5, created_at: at, channel_id, cost, model_name: 'a' });
});
afterAll(() => app.close());

const span = `start_timestamp=${october[0]}&end_timestamp=${october[1]}`;
const read = async (query: string): Promise<Margins> =>
  v.parse(marginsSchema, await admin.data('GET', `/api/usage/margin?${span}${query}`));
const line = (
  name: string | null,
  title: string,
  [requests, quota, revenue, cost, uncosted, margin]: readonly [number, number, string, string, number, string],
) => ({ name, title, requests, quota, revenue, cost, uncosted, margin });

const total = {
  requests: 4,
  quota: 1707,
  revenue: '0.003414',
  cost: '0.001700001',
  uncosted: 500,
  margin: '0.000713999',
};

test('a month by model: the margin is of the calls whose cost is known, and what is not known is told', async () => {
  expect(await read('')).toEqual({
    from: october[0],
    before: october[1] + 1,
    total,
    tests: '0.000003',
    lines: [
      line('a', 'a', [2, 1500, '0.003', '0.0012', 500, '0.0008']),
      line('b', 'b', [1, 200, '0.0004', '0.0005', 0, '-0.0001']),
      line('c', 'c', [1, 7, '0.000014', '0.000000001', 0, '0.000013999']),
    ],
  });
});

test('the same by channel, by user and by the group that users are in now', async () => {
  const ofAlice = [1, 1000, '0.002', '0.0012', 0, '0.0008'] as const;
  const ofBob = [3, 707, '0.001414', '0.000500001', 500, '-0.000086001'] as const;
  const of = async (by: string) => (await read(`&by=${by}`)).lines;
  expect(await of('channel')).toEqual([line('5', '=Main', ofAlice), line('6', '6', ofBob)]);
  expect(await of('user')).toEqual([line(String(alice.id), 'alice', ofAlice), line(String(bob.id), 'bob', ofBob)]);
  expect(await of('group')).toEqual([line('vip', 'vip', ofAlice), line('default', 'default', ofBob)]);
  expect((await read('&by=nonsense')).lines.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

test('one model by channel, one channel by model; what is beyond the limit is one line', async () => {
  expect((await read('&by=channel&model_name=a')).lines).toEqual([
    line('5', '=Main', [1, 1000, '0.002', '0.0012', 0, '0.0008']),
    line('6', '6', [1, 500, '0.001', '0', 500, '0']),
  ]);
  const ofChannel = await read('&channel=6');
  expect(ofChannel.lines.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(ofChannel.tests).toBe('0.0000005');
  const limited = await read('&limit=1');
  expect(limited.total).toEqual(total);
  expect(limited.lines).toEqual([
    line('a', 'a', [2, 1500, '0.003', '0.0012', 500, '0.0008']),
    line(null, '', [2, 207, '0.000414', '0.000500001', 0, '-0.000086001']),
  ]);
  for (const limit of ['-1', 'x', '999999999']) expect((await read(`&limit=${limit}`)).lines).toHaveLength(3);
});

test('nothing was used: no lines, and a total of nothing', async () => {
  expect(await admin.data('GET', '/api/usage/margin?start_timestamp=1&end_timestamp=9')).toMatchObject({
    total: { requests: 0, revenue: '0', cost: '0', uncosted: 0, margin: '0' },
    tests: '0',
    lines: [],
  });
});

test('the same as a table, which no spreadsheet takes for formulas', async () => {
  const { text } = await admin.call('GET', `/api/usage/margin/export?${span}&by=channel`);
  expect(text.replace(/^\uFEFF/, '').split('\r\n')).toEqual([
    'channel,name,requests,revenue_usd,cost_usd,margin_usd,quota,quota_of_unknown_cost',
    "5,'=Main,1,0.002,0.0012,0.0008,1000,0",
    '6,6,3,0.001414,0.000500001,-0.000086001,707,500',
    '',
  ]);
  // C18: everyone's ranking over any range.
  const ranking = await admin.call('GET', `/api/usage/margin/export?${span}&by=user`);
  expect(ranking.text.split('\r\n').slice(1)).toEqual([
    `${alice.id},alice,1,0.002,0.0012,0.0008,1000,0`,
    `${bob.id},bob,3,0.001414,0.000500001,-0.000086001,707,500`,
    '',
  ]);
});

test.each(['margin', 'margin/export'])('only administrators see %s', async (path) => {
  expect(await alice.refused('GET', `/api/usage/${path}`)).toBe('Not permitted: insufficient permission');
  expect((await app.visitor().call('GET', `/api/usage/${path}`)).status).toBe(401);
});

test('no answer to a user tells what calls cost at vendors', async () => {
  const token = await addToken(app.db, alice.id, { unlimited_quota: 1 });
  const paths = [
    '/api/log/self',
    '/api/log/self/stat',
    '/api/log/self/count',
    '/api/log/self/export',
    '/api/log/self/export?format=jsonl',
    '/api/log/self/search?keyword=2',
    `/api/usage/self?${span}`,
    `/api/usage/self?${span}&token_id=${token}`,
    '/api/user/dashboard',
    '/api/user/self',
    '/api/pricing',
  ];
  for (const path of paths) {
    const { status, text } = await alice.call('GET', path);
    expect(status, path).toBe(200);
    expect(text, path).not.toMatch(/"?(?:vendor_)?cost"?[":,](?!usd)|costed|margin|1200000|0\.0012/);
  }
});
