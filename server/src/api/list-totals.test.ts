import { afterAll, beforeAll, expect, test } from 'vitest';
import { totalHeader } from '@weir/contract/wire';
import { addToken, addUser } from '../../test/database/accounts.ts';
import { buildTestApp, type TestApp, type TestUser } from '../../test/app/app.ts';
import { isJson } from '../../test/parsing/json.ts';
import { countEntries } from '../store/pages.ts';

let app: TestApp;
let root: TestUser;
let owner: number;
let team: number;
beforeAll(async () => {
  app = await buildTestApp();
  root = await app.root();
  owner = await addUser(app.db);
  team = await addUser(app.db, { is_team: 1 });
});
afterAll(() => app.close());

/** The length that the answer tells, and the rows of its page. */
const read = async (path: string): Promise<readonly [total: string | null, rows: number]> => {
  const { headers, json } = await root.call('GET', path);
  const { data } = json;
  return [headers.get(totalHeader), Array.isArray(data) ? data.length : Number.NaN];
};

const addKeys = async (): Promise<void> => {
  for (let index = 0; index < 12; index += 1) await root.data('POST', '/api/token/', { name: `key ${index}` });
  await addToken(app.db, await addUser(app.db), { name: "another user's" });
};
const channel = { type: 1, key: 'sk-1', models: 'gpt-4o', group: 'default', base_url: 'https://upstream.example' };

/** Each list with twelve entries more than it began with, and how its newest one is deleted. */
const lists = [
  { path: '/api/token/', add: addKeys, search: '/api/token/search?keyword=key' },
  {
    path: '/api/channel/',
    add: async () => {
      for (let index = 0; index < 12; index += 1)
        await root.data('POST', '/api/channel/', { ...channel, name: `channel ${index}` });
    },
    search: '/api/channel/search?keyword=channel',
  },
  {
    path: '/api/redemption/',
    add: () => root.data('POST', '/api/redemption/', { name: 'batch', quota: 5, count: 12 }),
    search: '/api/redemption/search?keyword=batch',
  },
  {
    path: '/api/user/',
    add: async () => {
      for (let index = 0; index < 12; index += 1) await addUser(app.db);
    },
    search: '/api/user/search?keyword=user',
  },
  {
    path: '/api/user/:id/token/',
    add: async () => {
      for (let index = 0; index < 12; index += 1)
        await root.data('POST', `/api/user/${owner}/token/`, { name: `key ${index}` });
    },
  },
  {
    path: '/api/team/:id/token/',
    add: async () => {
      for (let index = 0; index < 12; index += 1)
        await root.data('POST', `/api/team/${team}/token/`, { name: `key ${index}` });
    },
  },
];

const newestId = async (path: string): Promise<number> => {
  const { data } = (await root.call('GET', path)).json;
  const newest: unknown = Array.isArray(data) ? data[0] : undefined;
  return Number(isJson(newest) ? newest['id'] : Number.NaN);
};

test.each(lists)(
  'C24 the first page of $path tells the length of the list, without deleted entries',
  async ({ path: of, add, search }) => {
    const path = of.replace(':id', String(of.startsWith('/api/team') ? team : owner));
    const before = Number((await read(path))[0]);
    await add();
    expect(await read(path)).toEqual([String(before + 12), 10]);
    expect(await read(`${path}?p=0&order=used_quota`)).toEqual([String(before + 12), 10]);
    // Only once for each list read: a client that reads all pages must not have them all counted for each.
    expect(await read(`${path}?p=1`)).toEqual([null, before + 2]);
    if (search !== undefined) expect((await read(search))[0]).toBeNull();

    await root.data('DELETE', `${path}${await newestId(path)}`);
    expect(await read(path)).toEqual([String(before + 11), 10]);
  },
);

test('C24 a list that is too long to count has no length rather than a wrong one', async () => {
  const ids = app.db.read.selectFrom('redemptions').select('id');
  const { length } = await ids.execute();
  expect(length).toBeGreaterThan(10);
  expect(await countEntries(app.db.read, ids, length)).toBe(length);
  expect(await countEntries(app.db.read, ids, length - 1)).toBeUndefined();
});

test('C24 the API description has the header at these lists and nowhere else', async () => {
  const { paths } = (await app.visitor().call('GET', '/api/openapi.json')).json;
  const described = Object.entries(isJson(paths) ? paths : {}).filter(([, path]) =>
    JSON.stringify(path).includes(`"${totalHeader}"`),
  );
  expect(described.map(([path]) => path.replace('{id}', ':id')).toSorted()).toEqual(
    lists.map(({ path }) => path).toSorted(),
  );
});
