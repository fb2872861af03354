import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '@weir/contract/endpoint';
import { logout } from '@weir/contract/users';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { addChannel } from '../database/accounts.ts';
import { testDatabaseKind } from '../database/database.ts';
import { buildTestApp, type Caller, type TestApp, type TestUser } from '../app/app.ts';
import { endpoints, pathOf } from './endpoints.ts';
import { isJson } from '../parsing/json.ts';

let app: TestApp;
let root: TestUser;
beforeAll(async () => {
  app = await buildTestApp();
  root = await app.root();
  // The first channel is what a test request goes to: nowhere.
  await addChannel(app.db, { base_url: 'http://127.0.0.1:1', models: 'model' });
});
afterAll(() => app.close());

const deep = (open: string, close: string, depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Values of every kind that a member could have instead of what it should have. */
const everyValue: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  -0,
  1.5,
  1,
  99,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '9007199254740993',
  'NaN',
  'true',
  'x'.repeat(70_000),
  '水🌊\u0000\ud800',
  "'; drop table users; --",
  '%_\\',
  '../../etc/passwd',
  '{"a":',
  '{"__proto__":1}',
  'https://weir.example//',
  [],
  [1],
  [[]],
  {},
  { constructor: 1 },
];

/** What could reach the database: the schemas, which are the same on both, refuse the others. */
const storable = (value: unknown): boolean => typeof value === 'number' || (typeof value === 'string' && value !== '');

/** Of its values each name gets one in so many, the next name others: one where `npm run verify:long -- attacks` asks. */
const oneIn = process.env['FUZZ_EVERY_VALUE'] === undefined ? { sqlite: 3, postgres: 5 }[testDatabaseKind] : 1;

const valuesFor: () => readonly unknown[] = (() => {
  const values = testDatabaseKind === 'sqlite' ? everyValue : everyValue.filter(storable);
  let turn = 0;
  return () => {
    turn += 1;
    return values.filter((_, index) => (index + turn) % oneIn === 0);
  };
})();

/** Whole bodies as they come over the wire. */
const bodies: readonly string[] = [
  '',
  ' ',
  'null',
  'true',
  '1',
  '"text"',
  '[]',
  '[{}]',
  '{',
  '{"a":}',
  '{}{}',
  '\ufeff{}',
  '{"id":1,"id":2}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  `{"id":${'9'.repeat(400)}}`,
  '{"id":-0,"name":"\\ud800"}',
  deep('[', ']', 100_000),
  deep('{"a":', '}', 50_000),
  `{"id":1,"name":${deep('[', ']', 10_000)}}`,
  `{"key":"${'x'.repeat(300_000)}"}`,
  '\u0000\u0001\u0002',
];

const ids = ['0', '1', '-1', '1.5', 'abc', '1e3', '999999999999999', '9007199254740993', ' ', '%00', "1'", '1/2', '水'];

const namesOf = (schema: GenericSchema | undefined): string[] => {
  if (schema === undefined) return [];
  const { properties } = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' });
  return Object.keys(isJson(properties) ? properties : {});
};

/** Thousands of calls each, and more with every endpoint. */
const patience = { timeout: 600_000 };

const faults: string[] = [];
let requestCount = 0;

/** The client itself compares each answer with what the endpoint declares. */
const check = async (
  who: Caller,
  endpoint: Endpoint,
  path: string,
  options: { body?: unknown } = {},
): Promise<void> => {
  requestCount += 1;
  // An account that the fuzz registered must not replace root.
  const asker = endpoint.path === '/api/user/login' ? app.visitor() : who;
  const body = JSON.stringify(options.body ?? '').slice(0, 100);
  try {
    const { status } = await asker.call(endpoint.method, path, options);
    if (status >= 500) faults.push(`${endpoint.method} ${path.slice(0, 100)}: ${body}: ${status}`);
  } catch (error) {
    faults.push(`${String(error)}: ${body}`);
  }
};

const takesBody = ({ method }: Endpoint): boolean => method === 'POST' || method === 'PUT';
/** Signing out is tried last: nothing else can be tried after it. */
const tried = [...endpoints.values()].filter(({ path }) => path !== '/api/user/logout');
const empty = (endpoint: Endpoint) => (takesBody(endpoint) ? { body: {} } : {});

test('API-04 no path parameter is answered with a 5xx, nor by anything undeclared', patience, async () => {
  for (const endpoint of tried.filter(({ params }) => params !== undefined)) {
    for (const id of ids) await check(root, endpoint, pathOf(endpoint, id), empty(endpoint));
  }
  expect(faults.splice(0)).toEqual([]);
});

test('API-04 no query is answered with a 5xx, nor by anything undeclared', patience, async () => {
  for (const endpoint of tried) {
    const path = pathOf(endpoint, '999999999');
    for (const name of namesOf(endpoint.query)) {
      const texts = valuesFor().map((value) =>
        typeof value === 'string' ? value.slice(0, 2000) : JSON.stringify(value),
      );
      for (const text of texts)
        await check(root, endpoint, `${path}?${name}=${encodeURIComponent(text.toWellFormed())}`, empty(endpoint));
      for (const raw of [
        `${name}`,
        `${name}=1&${name}=2`,
        `${name}[]=1`,
        `${name}[a]=1`,
        `${name}=%ZZ`,
        `${name}=%ff`,
        `__proto__=1&${name}=`,
      ]) {
        await check(root, endpoint, `${path}?${raw}`, empty(endpoint));
      }
    }
  }
  expect(faults.splice(0)).toEqual([]);
});

test('API-04 no member of a body is answered with a 5xx, nor by anything undeclared', patience, async () => {
  for (const endpoint of tried.filter(takesBody)) {
    const names = namesOf(endpoint.body);
    const valid = Object.fromEntries(names.map((name) => [name, '1']));
    for (const name of names) {
      for (const value of valuesFor()) {
        await check(root, endpoint, endpoint.path, { body: { [name]: value } });
        await check(root, endpoint, endpoint.path, { body: { ...valid, [name]: value } });
      }
    }
  }
  expect(faults.splice(0)).toEqual([]);
});

test(
  'API-04 no body is answered with a 5xx, nor by anything undeclared, also where none belongs',
  patience,
  async () => {
    for (const endpoint of tried) {
      if (endpoint.method === 'GET') continue;
      for (const body of bodies) await check(root, endpoint, pathOf(endpoint, '999999999'), { body });
    }
    expect(faults.splice(0)).toEqual([]);
  },
);

test('API-04 the gateway still works, has no new administrator, and logged no internal failure', async () => {
  expect(requestCount).toBeGreaterThan(2000);
  expect(await root.data('GET', '/api/user/self')).toMatchObject({ id: 1, role: 100 });
  expect(app.logged()).not.toContain('management request failed');
  expect(Object.prototype).not.toHaveProperty('admin');
  expect(await app.db.read.selectFrom('users').select('id').where('role', '>', 1).execute()).toEqual([{ id: 1 }]);
  await check(root, logout, `${logout.path}?a=%ZZ`);
  expect(faults.splice(0)).toEqual([]);
});
