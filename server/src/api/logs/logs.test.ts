import { afterAll, beforeAll, expect, test } from 'vitest';
import { role } from '@weir/contract/roles';
import { type Log, logSchema } from '@weir/contract/logs';
import * as v from 'valibot';
import { addChannel, addToken, setUser, type Caller as Payer } from '../../../test/database/accounts.ts';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { addNote, addUse } from '../../../test/database/logs.ts';

let app: TestApp;
let admin: TestUser;
let alice: TestUser;
let bob: TestUser;

const at = 1_700_000_000;

const payer = async (user: TestUser): Promise<Payer> => {
  await setUser(app.db, user.id, { available: 1000 });
  const tokenId = await addToken(app.db, user.id, { unlimited_quota: 1 });
  return { userId: user.id, tokenId, channelId: 1, tokenLimited: false };
};

beforeAll(async () => {
  app = await buildTestApp();
  admin = await app.addUser('admin', role.admin);
  alice = await app.addUser('alice');
  bob = await app.addUser('bob');
  const [byAlice, byBob] = [await payer(alice), await payer(bob)];
  const use = {
    username: 'alice',
    token_name: 'ci',
    model_name: 'gpt-4o',
    channel_id: 3,
    prompt_tokens: 10,
    completion_tokens: 5,
  };
  await addUse(app.db, byAlice, {
    ...use,
    created_at: at,
    quota: 7,
    is_stream: 1,
    elapsed_time: 1234,
    content: 'ratio: 1',
  });
  await addUse(app.db, byAlice, { ...use, created_at: at + 60, quota: 2, token_name: 'other' });
  await addUse(app.db, byBob, {
    ...use,
    created_at: at + 120,
    quota: 40,
    username: 'bob',
    channel_id: 4,
    model_name: 'o1',
  });
  await addNote(app.db, { user_id: alice.id, username: 'alice', created_at: at + 180, type: 1, content: 'topped up' });
  await addNote(app.db, {
    created_at: at + 240,
    type: 5,
    channel_id: 3,
    model_name: 'gpt-4o',
    content: 'channel test',
  });
});
afterAll(() => app.close());

const rowsIn = (data: unknown): Log[] => v.parse(v.array(logSchema), data);
const timesOf = async (path: string, who = admin): Promise<number[]> =>
  rowsIn(await who.data('GET', path)).map((row) => row.created_at - at);

test('API-05 a log row has every member', async () => {
  const rows = rowsIn(await admin.data('GET', '/api/log/?username=alice&token_name=ci'));
  expect(rows).toEqual([
    {
      id: rows[0]?.id,
      user_id: alice.id,
      created_at: at,
      type: 2,
      content: 'ratio: 1',
      username: 'alice',
      token_name: 'ci',
      model_name: 'gpt-4o',
      quota: 7,
      prompt_tokens: 10,
      completion_tokens: 5,
      channel: 3,
      channel_name: '',
      request_id: rows[0]?.request_id,
      elapsed_time: 1234,
      is_stream: true,
      system_prompt_reset: false,
      cost: null,
    },
  ]);
});

test('LOG-01 filters by each member, alone and together, in both slash forms', async () => {
  expect(await timesOf('/api/log/')).toEqual([240, 180, 120, 60, 0]);
  expect(await timesOf('/api/log')).toEqual([240, 180, 120, 60, 0]);
  expect(await timesOf('/api/log/?type=2')).toEqual([120, 60, 0]);
  expect(await timesOf('/api/log/?type=5')).toEqual([240]);
  expect(await timesOf('/api/log/?username=bob')).toEqual([120]);
  expect(await timesOf('/api/log/?channel=3')).toEqual([240, 60, 0]);
  expect(await timesOf('/api/log/?model_name=gpt-4o&type=2')).toEqual([60, 0]);
  expect(await timesOf(`/api/log/?start_timestamp=${at + 60}&end_timestamp=${at + 180}`)).toEqual([180, 120, 60]);
  expect(await timesOf('/api/log/?username=unknown')).toEqual([]);
  expect(await timesOf('/api/log/?p=1')).toEqual([]);
});

test('C24 tests of channels are left out on request, in list, count and export; rows have the name of their channel', async () => {
  expect(await timesOf('/api/log/?type=0&without_tests=1')).toEqual([180, 120, 60, 0]);
  expect(await timesOf(`/api/log/?without_tests=1&start_timestamp=${at + 60}`)).toEqual([180, 120, 60]);
  expect(await timesOf('/api/log/?type=5&without_tests=1')).toEqual([240]);
  expect(await timesOf('/api/log/?type=-5')).toEqual([]);
  expect(await admin.data('GET', '/api/log/count?without_tests=1')).toMatchObject({ total: 4 });
  const file = await admin.call('GET', '/api/log/export?without_tests=1&format=jsonl');
  expect(file.text.trimEnd().split('\n')).toHaveLength(4);
  const channel = await addChannel(app.db, { name: 'Fast' });
  await addNote(app.db, { created_at: at - 60, type: 5, channel_id: channel });
  const rows = rowsIn(await admin.data('GET', '/api/log/?type=5'));
  expect(rows.map((row) => row.channel_name)).toEqual(['', 'Fast']);
  await app.db.write.deleteFrom('logs').where('channel_id', '=', channel).execute();
  expect(rowsIn(await alice.data('GET', '/api/log/self')).map((row) => row.channel_name)).toEqual(['', '', '']);
});

test('API-02 what other consoles send as filters: empty ones, fractions, words and repeats', async () => {
  const empty = 'p=0&type=0&username=&token_name=&model_name=&start_timestamp=0&channel=';
  expect(await timesOf(`/api/log/?${empty}&end_timestamp=${at + 1000}.678`)).toHaveLength(5);
  expect(await timesOf('/api/log/?type=&channel=abc&start_timestamp=NaN&p=-3')).toHaveLength(5);
  expect(await timesOf('/api/log/?type=2&type=5')).toEqual([120, 60, 0]);
  expect(await timesOf('/api/log/?start_timestamp=-5&end_timestamp=-9')).toHaveLength(5);
});

test('LOG-02 the total of the same filters, in quota and tokens, of consumption alone', async () => {
  const stat = (query: string) => admin.data('GET', `/api/log/stat?${query}`);
  expect(await stat('')).toEqual({ quota: 49, token: 45 });
  expect(await stat('type=1')).toEqual({ quota: 49, token: 45 });
  expect(await stat('username=alice')).toEqual({ quota: 9, token: 30 });
  expect(await stat('token_name=other&channel=3')).toEqual({ quota: 2, token: 15 });
  expect(await stat(`start_timestamp=${at + 1}&end_timestamp=${at + 119}`)).toEqual({ quota: 2, token: 15 });
  expect(await stat(`start_timestamp=-7200&end_timestamp=${at}`)).toEqual({ quota: 7, token: 15 });
  expect(await stat('username=unknown')).toEqual({ quota: 0, token: 0 });
  expect(await stat(`start_timestamp=${at * 2}`)).toEqual({ quota: 0, token: 0 });
});

test('LOG-04 a user sees only their own rows, without the channel, for any query', async () => {
  for (const query of ['', `?username=bob&user_id=${bob.id}`, '?channel=4']) {
    const rows = rowsIn(await alice.data('GET', `/api/log/self${query}`));
    expect(rows.map((row) => [row.username, row.channel])).toEqual(Array(3).fill(['alice', 0]));
    expect(new Set(rows.map((row) => row.id)).size).toBe(3);
  }
  expect(await timesOf('/api/log/self/?type=1', alice)).toEqual([180]);
  expect(await alice.data('GET', '/api/log/self/stat?username=bob')).toEqual({ quota: 9, token: 30 });
  expect(await bob.data('GET', '/api/log/self/stat')).toEqual({ quota: 40, token: 15 });
  for (const path of ['/api/log/', '/api/log/stat']) {
    expect(await alice.refused('GET', path)).toBe('Not permitted: insufficient permission');
    expect((await app.visitor().call('GET', path)).status).toBe(401);
  }
  expect((await app.visitor().call('GET', '/api/log/self')).status).toBe(401);
});

test('list and total still agree after a rename, and rows keep the name of their time', async () => {
  await setUser(app.db, bob.id, { username: 'robert' });
  const rows = rowsIn(await admin.data('GET', '/api/log/?username=robert'));
  expect(rows.map((row) => row.username)).toEqual(['bob']);
  expect(await admin.data('GET', '/api/log/stat?username=robert')).toEqual({ quota: 40, token: 15 });
  expect(await admin.data('GET', '/api/log/?username=bob')).toEqual([]);
  expect(await admin.data('GET', '/api/log/stat?username=bob')).toEqual({ quota: 0, token: 0 });
  await setUser(app.db, bob.id, { username: 'bob' });
});
