import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser } from '../../../test/database/accounts.ts';
import { buildTestApp, type TestApp } from '../../../test/app/app.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';

let db: TestDatabase;
let nodes: readonly [TestApp, TestApp];
const startNode = () => buildTestApp({ database: db, trustedProxies: ['127.0.0.1'], frozen: true });

beforeAll(async () => {
  db = await openTestDatabase();
  const first = await startNode();
  const root = await first.root();
  for (const [key, value] of [
    ['WeChatServerAddress', 'http://127.0.0.1:1'],
    ['WeChatServerToken', 'token'],
    ['WeChatAccountQRCodeImageURL', 'https://weir.example/code.png'],
    ['WeChatAuthEnabled', 'true'],
  ])
    await root.data('PUT', '/api/option/', { key, value });
  nodes = [first, await startNode()];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await db.close();
});

type Ask = (node: TestApp, headers: Readonly<Record<string, string>>, index: number) => Promise<number>;

const call =
  (method: string, path: (index: number) => string, body?: (index: number) => object): Ask =>
  async (node, headers, index) =>
    (await node.visitor(headers).call(method, path(index), body === undefined ? {} : { body: body(index) })).status;

/** Ten wrong codes are what one account may try: each ten come from the next. */
const redeemWrong: Ask = async (node, headers, index) => {
  const username = `guesser${Math.floor(index / 10)}`;
  const authorization = `token of ${username}`.replaceAll(' ', '-').padEnd(32, '.');
  const access_token_digest = node.secrets.digest(authorization);
  const known = db.read.selectFrom('users').select('id').where('username', '=', username);
  if ((await known.executeTakeFirst()) === undefined) await addUser(db, { username, access_token_digest });
  const body = { key: String(index).padStart(32, '0') };
  return (await node.visitor({ ...headers, authorization }).call('POST', '/api/user/topup', { body })).status;
};

const limits: readonly [what: string, max: number, ask: Ask][] = [
  [
    'wrong passwords',
    10,
    call(
      'POST',
      () => '/api/user/login',
      (index) => ({ username: `unknown${index}`, password: 'wrong password' }),
    ),
  ],
  [
    'new accounts',
    5,
    call(
      'POST',
      () => '/api/user/register',
      (index) => ({ username: `fresh${index}`, password: `a password of ${index}` }),
    ),
  ],
  [
    'tries at a new password',
    20,
    call(
      'POST',
      () => '/api/user/reset',
      (index) => ({ email: `unknown${index}@example.com`, token: 'f'.repeat(64) }),
    ),
  ],
  ['mails', 20, call('GET', (index) => `/api/verification?email=unknown${index}@example.com`)],
  ['wrong redemption codes', 50, redeemWrong],
  ['wrong codes of the chat app', 30, call('GET', (index) => `/api/oauth/wechat?code=${index}`)],
];

test.each(limits.map((limit, index) => [...limit, index] as const))(
  'AUTH-11 %s from one network are counted on all nodes together, and across a restart',
  async (_, max, ask, number) => {
    const headers = { 'x-forwarded-for': `203.0.${number}.9` };
    for (let index = 0; index < max; index += 1) {
      expect(await ask(nodes[index % 2 === 0 ? 0 : 1], headers, index), `try ${index + 1}`).toBe(200);
    }
    for (const node of nodes) expect(await ask(node, headers, max)).toBe(429);
    const elsewhere = { 'x-forwarded-for': `198.51.${number}.9` };
    expect(await ask(nodes[1], elsewhere, max + 1)).toBe(200);
    await using stack = new AsyncDisposableStack();
    const restarted = await startNode();
    stack.defer(restarted.close);
    expect(await ask(restarted, headers, max)).toBe(429);
    restarted.clock.advance(3_600_000);
    expect(await ask(restarted, headers, max)).toBe(200);
  },
);

test('AUTH-11 REG-07 OPT-AccountsPerHour so many accounts are opened in an hour, however, on all nodes together', async () => {
  const [first] = nodes;
  await (await first.root()).data('PUT', '/api/option/', { key: 'AccountsPerHour', value: '3' });
  await using stack = new AsyncDisposableStack();
  const second = await startNode();
  stack.defer(second.close);
  const open = async (node: TestApp, username: string) => {
    const from = node.visitor({ 'x-forwarded-for': `192.0.${username.length}.1` });
    const body = { username, password: `a password of ${username}` };
    return (await from.call('POST', '/api/user/register', { body })).json['message'];
  };
  expect([await open(first, 'm'), await open(second, 'mm')]).toEqual(['', '']);
  expect(await open(second, 'root')).toBe('Username already taken');
  expect(await open(first, 'mmm')).toBe('');
  const refusal = 'Too many accounts were created in the last hour. Try again later';
  expect([await open(first, 'mmmmm'), await open(second, 'mmmmmm')]).toEqual([refusal, refusal]);
  first.clock.advance(3_600_000);
  expect(await open(first, 'mmmmm')).toBe('');
});

test('AUTH-11 what a network was counted with is at most a million short rows for each limit', async () => {
  const rows = await db.read.selectFrom('attempts').select('subject').where('subject', 'like', 'network:%').execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { subject } of rows) {
    expect(subject).toMatch(/^network:[a-z]+:\d+$/);
    expect(Number(subject.split(':').at(-1))).toBeLessThan(2 ** 20);
  }
});
