import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Access, Endpoint } from '@weir/contract/endpoint';
import { can, role } from '@weir/contract/roles';
import { tokenSchema } from '@weir/contract/tokens';
import * as v from 'valibot';
import { buildTestApp, type Caller, type Reply, type TestApp } from '../app/app.ts';
import { endpoints, pathOf } from './endpoints.ts';
import { isJson, type Json } from '../parsing/json.ts';

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

const member = (value: Json, name: string): Json => {
  const found = value[name];
  if (!isJson(found)) throw new Error(`no object ${name}`);
  return found;
};

test('API-01 the contract names each call once', () => {
  const calls = [...endpoints.values()].map(({ method, path }) => `${method} ${path}`);
  expect(calls.length).toBeGreaterThan(25);
  expect(new Set(calls).size).toBe(calls.length);
});

test('API-03 the served OpenAPI 3.1 description of the management API holds exactly the endpoints of the contract', async () => {
  const description = (await app.visitor().call('GET', '/api/openapi.json')).json;
  expect(description['openapi']).toBe('3.1.0');
  expect(member(description, 'info')).toMatchObject({ title: 'Weir', version: 'v0.0.0-test' });
  const described = Object.entries(member(description, 'paths')).flatMap(([path, operations]) =>
    Object.keys(isJson(operations) ? operations : {}).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const declared = [...endpoints.values()].map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const ofManagement = described.filter((call) => call.includes(' /api/'));
  expect(ofManagement.toSorted()).toEqual(declared.toSorted());
});

test('API-03 every operation has an id of its own, its parameters, and schemas for what it takes and gives', async () => {
  const description = (await app.visitor().call('GET', '/api/openapi.json')).json;
  const paths = member(description, 'paths');
  const ids = new Set<unknown>();
  for (const { method, path, body, query } of endpoints.values()) {
    const operation = member(member(paths, path.replace(/:(\w+)/g, '{$1}')), method.toLowerCase());
    ids.add(operation['operationId']);
    const parameters = Array.isArray(operation['parameters']) ? operation['parameters'].filter(isJson) : [];
    const inPath = parameters.filter((parameter) => parameter['in'] === 'path').map((parameter) => parameter['name']);
    expect(inPath, path).toEqual([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    expect(parameters.length > inPath.length, path).toBe(query !== undefined);
    expect('requestBody' in operation, path).toBe(body !== undefined);
    const ok = member(member(operation, 'responses'), '200');
    expect(member(member(member(ok, 'content'), 'application/json'), 'schema')['type'], path).toBe('object');
  }
  expect(ids.size).toBe(endpoints.size);
  expect(JSON.stringify(description)).not.toContain('$ref');
});

/** Calls that end the session or the account of their caller. */
const isLast = ({ method, path }: Endpoint): boolean =>
  path === '/api/user/logout' || (method === 'DELETE' && path === '/api/user/self');

/** A body that no endpoint accepts: only the permission is tested here. */
const harmless = ({ method }: Endpoint) => (method === 'POST' || method === 'PUT' ? { body: {} } : {});
const nowhere = '999999999';

const ask = (who: Caller, endpoint: Endpoint): Promise<Reply> =>
  who.call(endpoint.method, pathOf(endpoint, nowhere), harmless(endpoint));

const forbidden = 'Not permitted: insufficient permission';
/** The answer of a sign-in callback without a state: it has its own status on the wire. */
const noState = { status: 403, message: 'State is empty or not same' };

interface Principal {
  readonly name: string;
  readonly role: number | undefined;
  /** A caller for one call: signing out or a new access token ends it. */
  readonly caller: () => Promise<Caller>;
}

const principals = async (): Promise<Principal[]> => {
  const people = [
    { name: 'user', role: role.user },
    { name: 'admin', role: role.admin },
    { name: 'root2', role: role.root },
  ];
  const signedIn = await Promise.all(
    people.map(async (person) => ({ ...person, session: await app.addUser(person.name, person.role) })),
  );
  return [
    { name: 'visitor', role: undefined, caller: async () => app.visitor() },
    ...signedIn.flatMap(({ name, role: number, session }) => [
      { name, role: number, caller: async () => app.visitor({ cookie: session.cookie }) },
      {
        name: `access token of ${name}`,
        role: number,
        caller: async () => app.visitor({ authorization: String(await session.data('GET', '/api/user/token')) }),
      },
    ]),
  ];
};

/** What an endpoint must answer a user without permission; undefined: the user has it. */
const refusal = (access: Access, roleNumber: number | undefined): 401 | 200 | undefined => {
  if (can(roleNumber, access)) return undefined;
  return roleNumber === undefined ? 401 : 200;
};

test(
  'API-01 permissions: every endpoint by visitor, user, admin and root, by session and by access token',
  { timeout: 600_000 },
  async () => {
    const wrong: string[] = [];
    for (const { name, role: roleNumber, caller } of await principals()) {
      for (const endpoint of endpoints.values()) {
        if (isLast(endpoint)) continue;
        const reply = await ask(await caller(), endpoint);
        const expected = refusal(endpoint.access, roleNumber);
        const isForbidden = reply.text.includes(forbidden);
        const isStateless = reply.status === noState.status && reply.json['message'] === noState.message;
        const isRight =
          expected === undefined
            ? !isForbidden && (reply.status < 401 || isStateless)
            : reply.status === expected && reply.json['success'] === false && isForbidden === (expected === 200);
        if (!isRight)
          wrong.push(`${name}: ${endpoint.method} ${endpoint.path}: ${reply.status} ${reply.text.slice(0, 200)}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);

/** Calls that consoles make with GET though they change something (reliability notes E.3). */
const changingGets = [
  '/api/user/logout',
  '/api/user/token',
  '/api/user/aff',
  '/api/oauth/state',
  '/api/oauth/github',
  '/api/oauth/wechat',
  '/api/oauth/wechat/bind',
  '/api/oauth/email/bind',
  '/api/verification',
  '/api/reset_password',
  '/api/channel/test',
  '/api/channel/test/:id',
  '/api/channel/update_balance',
  '/api/channel/update_balance/:id',
];

test('API-01 every call that changes something is refused where another site makes a browser send it', async () => {
  const root = await app.root();
  const changing = [...endpoints.values()].filter(({ effect }) => effect);
  expect(changing.map(({ path }) => path)).toEqual(expect.arrayContaining(changingGets));
  expect([...endpoints.values()].filter(({ effect, method }) => !effect && method !== 'GET')).toEqual([]);
  for (const endpoint of changing) {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const reply = await root.call(endpoint.method, pathOf(endpoint, '1'), { ...harmless(endpoint), headers });
    expect(reply.status, `${endpoint.method} ${endpoint.path}`).toBe(403);
    expect(reply.json['success'], endpoint.path).toBe(false);
  }
  expect(await root.data('GET', '/api/user/self')).toMatchObject({ username: 'root' });
});

test('a relay key opens no management call but the public ones', async () => {
  const owner = await app.addUser('owner', role.root);
  const made = await owner.data('POST', '/api/token/', { name: 'key', unlimited_quota: true });
  const { key } = v.parse(tokenSchema, made);
  const guarded = [...endpoints.values()].filter(({ access }) => access !== 'public');
  for (const endpoint of guarded) {
    const reply = await ask(app.visitor({ authorization: `Bearer sk-${key}` }), endpoint);
    expect(reply.json, endpoint.path).toEqual({ success: false, message: 'Not permitted: access token invalid' });
  }
  expect(guarded.length).toBeGreaterThan(20);
});

test('API-01 every path is served with and without a slash at its end, without a redirect', async () => {
  const root = await app.root();
  for (const endpoint of endpoints.values()) {
    if (isLast(endpoint) || endpoint.path === '/api/user/token') continue;
    const path = pathOf(endpoint, nowhere);
    const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    const [one, two] = [
      await root.call(endpoint.method, path, harmless(endpoint)),
      await root.call(endpoint.method, other, harmless(endpoint)),
    ];
    const outcome = (reply: Reply) => [reply.status, endpoint.files === undefined ? reply.json['success'] : reply.text];
    expect(outcome(two), other).toEqual(outcome(one));
    expect([301, 307, 404], other).not.toContain(two.status);
  }
});

test('an unknown path, and a known one with another method, get the JSON of the contract and 404', async () => {
  const root = await app.root();
  const known = new Set([...endpoints.values()].map(({ method, path }) => `${method} ${path}`));
  const calls: [string, string][] = [
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['DELETE', '/api/user/5/6'],
    ['GET', '/api/mj/'],
    ['PATCH', '/api/user/self'],
    ['POST', '/api/status'],
    ['HEAD', '/api/status'],
  ];
  for (const [method, path] of calls.filter(([verb, url]) => !known.has(`${verb} ${url}`))) {
    const reply = await root.call(method, `${path}?a=1`);
    expect(reply.status, `${method} ${path}`).toBe(404);
    if (method === 'HEAD') continue;
    expect(reply.json).toEqual({
      error: { message: `Invalid URL (${method} ${path})`, type: 'invalid_request_error', param: '', code: '' },
    });
  }
});
