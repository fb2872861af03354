import type { Endpoint } from '@weir/contract/endpoint';
import { tokenSchema } from '@weir/contract/tokens';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUser } from '../database/accounts.ts';
import { buildTestApp, type Caller, type TestApp, type TestUser } from '../app/app.ts';
import { endpoints, pathOf } from './endpoints.ts';
import { addNote, addUse } from '../database/logs.ts';

/** In everything that the owner has, and in nothing else. */
const canary = 'canary';
const nowhere = 999_999_999;

let app: TestApp;
let owner: TestUser;
let other: TestUser;
/** The owner's rows, by the beginning of the paths that name one. */
let rows: { readonly token: number; readonly log: number };

beforeAll(async () => {
  app = await buildTestApp({ frozen: true });
  [owner, other] = [await app.addUser(`${canary}1`), await app.addUser('other')];
  await setUser(app.db, owner.id, { email: `${canary}@example.com`, display_name: `${canary} name` });
  const made = await owner.data('POST', '/api/token/', { name: `${canary} key`, unlimited_quota: true });
  const token = v.parse(tokenSchema, made).id;
  const about = {
    created_at: Math.floor(app.clock.now() / 1000),
    username: owner.username,
    token_name: `${canary} key`,
  };
  const caller = { userId: owner.id, tokenId: token, channelId: 1, tokenLimited: false };
  await addUse(app.db, caller, { ...about, model_name: `${canary}-model`, quota: 7 });
  await addNote(app.db, { ...about, user_id: owner.id, type: 3, content: `${canary} was edited` });
  const log = await app.db.read
    .selectFrom('logs')
    .select('id')
    .where('user_id', '=', owner.id)
    .where('type', '=', 2)
    .executeTakeFirstOrThrow();
  rows = { token, log: log.id };
});
afterAll(() => app.close());

/** Signs out, or is the end of the account that calls. */
const isLast = ({ method, path }: Endpoint): boolean =>
  path === '/api/user/logout' || (method === 'DELETE' && path === '/api/user/self');

const rowOf = ({ path }: Endpoint): number => {
  if (path.startsWith('/api/token')) return rows.token;
  return path.startsWith('/api/log') ? rows.log : owner.id;
};

/** A call that names a user's row, and the owner by every member that any call reads. */
const ask = (caller: Caller, endpoint: Endpoint, id: number) => {
  const query = new URLSearchParams({
    p: '0',
    username: owner.username,
    user_id: String(owner.id),
    token_name: `${canary} key`,
    model_name: `${canary}-model`,
    keyword: canary,
  });
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT';
  const body = { id, user_id: owner.id, name: 'taken', status: 2, unlimited_quota: false, remain_quota: 1 };
  const path = `${pathOf(endpoint, String(id))}?${query.toString()}`;
  return caller.call(endpoint.method, path, hasBody ? { body } : {});
};

/** Everything of the owner that the calls could have changed. */
const readOwner = async () => {
  const paths = ['/api/user/self', '/api/token/?p=0', '/api/log/self?p=0', '/api/log/self/stat', '/api/usage/self'];
  const users = app.db.read.selectFrom('users').select(['access_token_digest', 'password_hash', 'status']);
  const row = await users.where('id', '=', owner.id).executeTakeFirstOrThrow();
  return [row, ...(await Promise.all(paths.map((path) => owner.data('GET', path))))];
};

const callers: readonly (readonly [name: string, caller: () => Promise<Caller>])[] = [
  ['another user', async () => app.visitor({ cookie: other.cookie })],
  [
    'the access token of another user',
    async () => app.visitor({ authorization: String(await other.data('GET', '/api/user/token')) }),
  ],
  ['visitor', async () => app.visitor()],
];

test.each(callers)(
  'API-01 LOG-04 TOK-16 what a user has is shown to %s by no call, changed by none, and looks as if it were not there',
  async (_, caller) => {
    const calls = [...endpoints.values()].filter(
      (endpoint) => (endpoint.access === 'user' || endpoint.access === 'public') && !isLast(endpoint),
    );
    expect(calls.length).toBeGreaterThan(30);
    const before = await readOwner();
    expect(JSON.stringify(before).split(canary).length).toBeGreaterThan(5);
    for (const endpoint of calls) {
      const [reply, absent] = [
        await ask(await caller(), endpoint, rowOf(endpoint)),
        await ask(await caller(), endpoint, nowhere),
      ];
      const name = `${endpoint.method} ${endpoint.path}`;
      expect(reply.text, name).not.toContain(canary);
      if (endpoint.path.includes(':') || name === 'PUT /api/token/') {
        expect([reply.status, reply.json['success']], name).toEqual([absent.status, false]);
        expect(reply.text, name).toBe(absent.text);
      }
    }
    expect(await readOwner()).toEqual(before);
  },
);
