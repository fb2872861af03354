import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Log, logSchema } from '@weir/contract/logs';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { addToken, setUser, type Caller as Payer } from '../../../test/database/accounts.ts';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { addNote, addUse } from '../../../test/database/logs.ts';

let app: TestApp;
let admin: TestUser;
let alice: TestUser;
let byAlice: Payer;

const day = 86_400;

beforeAll(async () => {
  app = await buildTestApp({ frozen: true });
  admin = await app.addUser('admin', role.admin);
  alice = await app.addUser('alice');
  await setUser(app.db, alice.id, { available: 100_000 });
  const tokenId = await addToken(app.db, alice.id, { unlimited_quota: 1 });
  byAlice = { userId: alice.id, tokenId, channelId: 1, tokenLimited: false };
});
afterAll(() => app.close());

const rowsIn = (data: unknown): Log[] => v.parse(v.array(logSchema), data);
const now = (): number => Math.floor(app.clock.now() / 1000);

test('LOG-01 the search finds a type, a text that is no consumption, and a request; a user only their own', async () => {
  const requestId = '2026112114021112345678912345678';
  await addUse(app.db, byAlice, {
    created_at: now(),
    quota: 3,
    content: 'ratio: 1',
    request_id: requestId,
    channel_id: 9,
  });
  await addNote(app.db, { created_at: now(), type: 3, user_id: alice.id, content: 'Quota changed 100% by hand' });
  await addNote(app.db, { created_at: now(), type: 5, content: 'channel one: works' });
  const texts = async (who: TestUser, path: string) => rowsIn(await who.data('GET', path)).map((row) => row.content);

  expect(await texts(admin, '/api/log/search?keyword=quota%20changed')).toEqual(['Quota changed 100% by hand']);
  expect(await texts(admin, '/api/log/search?keyword=%25')).toEqual([]);
  expect(await texts(admin, '/api/log/search?keyword=5')).toEqual(['channel one: works']);
  expect(await texts(admin, '/api/log/search?keyword=2')).toEqual(['ratio: 1']);
  expect(await texts(admin, `/api/log/search?keyword=${requestId}`)).toEqual(['ratio: 1']);
  expect(await texts(admin, '/api/log/search?keyword=')).toEqual([]);

  expect(await texts(alice, '/api/log/self/search?keyword=3')).toEqual(['Quota changed 100% by hand']);
  expect(await texts(alice, '/api/log/self/search?keyword=5')).toEqual([]);
  expect(await texts(alice, '/api/log/self/search?keyword=quota')).toEqual([]);
  const own = rowsIn(await alice.data('GET', `/api/log/self/search?keyword=${requestId}`));
  expect(own.map(({ quota, channel }) => [quota, channel])).toEqual([[3, 0]]);
  expect(await texts(admin, `/api/log/self/search?keyword=${requestId}`)).toEqual([]);
});

test('API-02 the dashboard shows what the last seven UTC days cost, by day and model, under the names consoles read', async () => {
  const today = Math.floor(now() / day) * day;
  const use = { token_name: 'ci', prompt_tokens: 10, completion_tokens: 5 };
  await addUse(app.db, byAlice, { ...use, created_at: today - 7 * day + day - 1, quota: 1000, model_name: 'too-old' });
  await addUse(app.db, byAlice, { ...use, created_at: today - 6 * day, quota: 4, model_name: 'b' });
  await addUse(app.db, byAlice, { ...use, created_at: today - 5 * day - 1, quota: 6, model_name: 'b', channel_id: 2 });
  await addUse(app.db, byAlice, { ...use, created_at: today - 6 * day + 7200, quota: 1, model_name: 'a' });
  const data = v.parse(
    v.array(v.looseObject({ ModelName: v.string() })),
    await alice.data('GET', '/api/user/dashboard'),
  );
  const first = new Date((today - 6 * day) * 1000).toISOString().slice(0, 10);
  expect(data.filter(({ ModelName }) => ModelName !== '')).toEqual([
    { Day: first, ModelName: 'a', RequestCount: 1, Quota: 1, PromptTokens: 10, CompletionTokens: 5 },
    { Day: first, ModelName: 'b', RequestCount: 2, Quota: 10, PromptTokens: 20, CompletionTokens: 10 },
  ]);
  expect(await admin.data('GET', '/api/user/dashboard')).toEqual([]);
});

test('SET-09 clearing needs a time and an administrator, returns the number of rows, and leaves an audit row', async () => {
  await addNote(app.db, { created_at: 1000, type: 4, content: 'long ago' });
  await addNote(app.db, { created_at: 1001, type: 4, content: 'a second later' });
  for (const query of [
    '',
    '?target_timestamp=',
    '?target_timestamp=0',
    '?target_timestamp=-5',
    '?target_timestamp=x',
  ]) {
    expect(await admin.refused('DELETE', `/api/log/${query}`)).toBe('Target timestamp is required');
  }
  expect(await alice.refused('DELETE', '/api/log/?target_timestamp=1001')).toBe(
    'Not permitted: insufficient permission',
  );
  expect(await admin.data('DELETE', '/api/log/?target_timestamp=1001')).toBe(1);
  expect(rowsIn(await admin.data('GET', '/api/log/?end_timestamp=2000')).map((row) => row.content)).toEqual([
    'a second later',
  ]);
  const audit = await app.db.read.selectFrom('audit').selectAll().where('action', '=', 'clear_logs').execute();
  expect(audit.map(({ actor_name, detail }) => [actor_name, detail])).toEqual([['admin', 'before 1001: 1']]);
});
