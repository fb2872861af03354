import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { role } from '@weir/contract/roles';
import { buildTestApp, type TestApp, type TestUser } from '../../test/app/app.ts';

const path = '/api/release';
const releasePath = '/repos/weir/weir/releases/latest';

/** A code host as strict as GitHub's: this path alone, and no caller without a name. */
let host: Server;
let answer: RequestListener;
let app: TestApp;
let root: TestUser;
let releasesUrl: string;

beforeAll(async () => {
  host = createServer((request, response) => {
    const { method, url, headers } = request;
    if (method !== 'GET' || url !== releasePath) return void response.writeHead(404).end('{"message":"Not Found"}');
    if (!headers['user-agent'] || headers['accept'] !== 'application/vnd.github+json')
      return void response.writeHead(403).end('{"message":"Request forbidden by administrative rules"}');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  const address = host.address();
  const port = typeof address === 'object' ? address?.port : 0;
  releasesUrl = `http://127.0.0.1:${port}${releasePath}`;
  app = await buildTestApp({ releasesUrl });
  root = await app.root();
});
afterAll(async () => {
  await app.close();
  host.closeAllConnections();
  host.close();
});

const sending =
  (body: string, status = 200, headers = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
const release = { tag_name: 'v9.1.0', body: '# News\n\n- more', html_url: 'https://code.example/releases/v9.1.0' };
const unreachable = 'Could not read the latest release. Try again later';

test('SET-08 the server reads tag, notes and page of the latest release, and passes nothing else on', async () => {
  answer = sending(JSON.stringify({ ...release, author: { login: 'octocat' }, assets: [] }));
  expect(await root.data('GET', path)).toEqual(release);
});

test('SET-08 a project without a release, or members of other types, make an empty tag', async () => {
  answer = sending('{"message":"Not Found"}', 404);
  expect(await root.data('GET', path)).toEqual({ tag_name: '', body: '', html_url: '' });
  answer = sending('{"tag_name":null,"body":7,"html_url":"javascript:alert(1)"}');
  expect(await root.data('GET', path)).toEqual({ tag_name: '', body: '', html_url: '' });
});

test('SET-08 C72 a release that names no page links to the page of all releases', async () => {
  answer = sending(JSON.stringify({ tag_name: 'v9.1.0', body: '# News' }));
  const { origin } = new URL(releasesUrl);
  expect(await root.data('GET', path)).toMatchObject({ tag_name: 'v9.1.0', html_url: `${origin}/weir/weir/releases` });
});

test.each([
  ['a failure', sending('oops', 500)],
  ['a redirect to elsewhere', sending('', 302, { location: 'http://127.0.0.1:1/' })],
  ['no JSON', sending('<html>')],
  ['JSON that is no object', sending('"v1"')],
  ['more than 256 KiB', sending(JSON.stringify({ ...release, body: 'x'.repeat(300_000) }))],
  ['a cut connection', (request) => void request.socket.destroy()],
] satisfies [string, RequestListener][])('SET-08 %s is a clear message and no release', async (_name, listener) => {
  answer = listener;
  expect(await root.refused('GET', path)).toBe(unreachable);
});

test('SET-08 only administrators make the server ask', async () => {
  let requests = 0;
  answer = (request, response) => {
    requests += 1;
    sending(JSON.stringify(release))(request, response);
  };
  const admin = await app.addUser('admin', role.admin);
  const user = await app.addUser('user');
  expect(await admin.data('GET', path)).toEqual(release);
  expect(await user.refused('GET', path)).toContain('insufficient permission');
  expect((await app.visitor().call('GET', path)).status).toBe(401);
  expect(requests).toBe(1);
});
