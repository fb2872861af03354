import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '../../test/app/app.ts';
import { consolePage, createConsoleBuild } from '../../test/fakes/fake-console-build.ts';
import { responseTo } from '../../test/clients/response-to.ts';

const build = createConsoleBuild();
let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp({ consoleDir: build.dir });
});
afterAll(async () => {
  await app.close();
  build.remove();
});

const get = (path: string, headers = {}, method = 'GET') => app.visitor(headers).call(method, path);
const asset = '/assets/main-D1gE5t.js';

test('SHELL-01 every address of the console gets its page, with or without a query', async () => {
  for (const path of ['/', '/login?expired=true', '/token/edit/5', '/no/such/screen', '/apiary', '/index.html']) {
    const { status, headers, text } = await get(path);
    expect([status, headers.get('content-type')], path).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('cache-control'), path).toBe('no-cache');
    expect(text, path).toBe(consolePage);
  }
  for (const encoding of ['identity', 'br']) {
    const { status, text } = await get('/', { 'accept-encoding': encoding });
    expect([status, text]).toEqual([200, consolePage]);
  }
  const head = await get('/login', {}, 'HEAD');
  expect([head.status, head.text]).toEqual([200, '']);
});

test('R33 an address of an API gets JSON and no page, and so does a program that takes no page', async () => {
  const paths = ['/mcp', '/mcp/tools', '/sse', '/v2/chat', '/v1beta1/x', '/chat/completions', '/openai/deployments/x'];
  for (const path of [...paths, '/.well-known/oauth-protected-resource']) {
    const { status, json } = await get(path);
    expect([status, json], path).toMatchObject([404, { error: { message: `Invalid URL (GET ${path})` } }]);
  }
  for (const accept of ['text/event-stream', 'application/json, text/event-stream'])
    expect((await get('/no/such/screen', { accept })).status).toBe(404);
  for (const accept of ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', '*/*', 'text/html'])
    expect((await get('/chat', { accept })).status).toBe(200);
});

test('hashed files are cached for good, other files are revalidated, and neither is sent larger than needed', async () => {
  const { headers } = await get(asset);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(headers.get('content-type')).toMatch(/javascript/);
  expect((await get('/logo.svg')).headers.get('cache-control')).toBe('no-cache');
  for (const encoding of ['br', 'gzip']) {
    const reply = await get(asset, { 'accept-encoding': encoding });
    expect(reply.headers.get('content-encoding')).toBe(encoding);
    expect(reply.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(reply.text).toContain('console.log("weir");');
  }
  expect((await get(asset, { 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull();
});

test('C80 a preflight of another origin is answered with 204 at every path, one of the console itself is unknown', async () => {
  for (const path of ['/api/user/login', '/api/nothing', '/login']) {
    const { status, headers, text } = await get(path, { origin: 'https://page.example' }, 'OPTIONS');
    expect([status, text], path).toEqual([204, '']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET,POST,PUT,DELETE,OPTIONS');
  }
  expect((await get('/api/user/login', { origin: app.url }, 'OPTIONS')).status).toBe(404);
  expect((await get('/api/user/login', {}, 'OPTIONS')).status).toBe(404);
  // The calls themselves allow no other origin to read them.
  const { headers } = await get('/api/status', { origin: 'https://page.example' });
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('a hashed file of an older build is not found, instead of answered with a page', async () => {
  for (const path of ['/assets/old-A.js', '/assets/']) {
    const { status, headers } = await get(path, { 'accept-encoding': 'identity' });
    expect(status).toBe(404);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
  }
  expect((await get('/assets', { 'accept-encoding': 'identity' })).status).toBe(200);
});

test('no path escapes the build', async () => {
  for (const path of [
    '/../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%5c..%5cx',
    '//etc/passwd',
    '/%00',
  ]) {
    const call = request(app.url, { method: 'GET', path, agent: false });
    call.end();
    const { status, text } = await responseTo(call);
    expect(text === consolePage || status >= 400, `${path} ${text.slice(0, 80)}`).toBe(true);
  }
});

test.each([
  ['a page', '/login', {}],
  ['a file', asset, {}],
  ['an answer of the API', '/api/status', {}],
  ['a refusal', '/api/user/self', {}],
  ['an unknown call', '/api/nothing', {}],
  ['a missing file', '/assets/none.js', {}],
  ['the figures', '/metrics', {}],
  ['an answer to an unknown access token', '/api/option/', { authorization: 'unknown' }],
])('%s carries the policy with the hashes of the build, and the other protections', async (_, path, headers) => {
  const reply = await get(path, headers);
  // Directives that are empty at the moment leave their spaces behind.
  const policy = (reply.headers.get('content-security-policy') ?? '').replaceAll(/ +;/g, ';');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self' 'sha256-script';");
  expect(policy).toContain("style-src 'self' 'sha256-style';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000',
  });
  expect(reply.headers.get('permissions-policy')).toContain('camera=()');
  expect(reply.headers.get('x-oneapi-request-id')).toMatch(/^\d{23,31}$/);
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin'])
    expect(reply.headers.has(name)).toBe(false);
});

test('long answers of the API are compressed for clients that accept it, and complete for all', async () => {
  const whole = await get('/api/openapi.json', { 'accept-encoding': 'identity' });
  expect(whole.headers.get('content-encoding')).toBeNull();
  for (const encoding of ['br', 'gzip']) {
    const packed = await get('/api/openapi.json', { 'accept-encoding': encoding });
    expect(packed.headers.get('content-encoding')).toBe(encoding);
    expect(packed.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(packed.text).toBe(whole.text);
  }
  const short = await get('/api/status', { 'accept-encoding': 'br' });
  expect(short.headers.get('content-encoding')).toBeNull();
});

test('answers of the API are kept by no cache', async () => {
  for (const path of ['/api/status', '/api/user/self', '/api/nothing', '/metrics']) {
    expect((await get(path)).headers.get('cache-control'), path).toBe('no-store');
  }
});

test('OPT-ChatLink the console may frame the chat app that was set, at once, and no other site', async () => {
  const root = await app.root();
  const framed = async () =>
    /frame-src ([^;]*);/.exec((await get('/chat')).headers.get('content-security-policy') ?? '')?.[1]?.trim();
  expect(await framed()).toBe("'self'");
  await root.data('PUT', '/api/option/', { key: 'ChatLink', value: 'https://chat.example/app?a=1' });
  await root.data('PUT', '/api/option/', { key: 'About', value: '# not an address; https://evil.example' });
  expect(await framed()).toBe("'self' https://chat.example");
});

test('without a build a page explains how to make one, and the API works', async () => {
  await using stack = new AsyncDisposableStack();
  const bare = await buildTestApp({ consoleDir: '/nowhere' });
  stack.defer(bare.close);
  const page = await bare.visitor().call('GET', '/login');
  expect([page.status, page.text]).toEqual([503, 'The console is not built. Start the gateway with: npm start\n']);
  await bare.visitor().data('GET', '/api/status');
});

test('N12 a gateway goes on with the build that it was started with, when a later one takes its place', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weir-link-'));
  const first = createConsoleBuild();
  const second = createConsoleBuild();
  writeFileSync(join(second.dir, 'index.html'), 'later');
  const link = join(home, 'dist');
  symlinkSync(first.dir, link);
  const linked = await buildTestApp({ consoleDir: link });
  rmSync(link);
  symlinkSync(second.dir, link);
  const page = await fetch(`${linked.url}/token`, { headers: { accept: 'text/html', 'accept-encoding': 'identity' } });
  expect(await page.text()).toBe(consolePage);
  await linked.close();
  for (const { remove } of [first, second]) remove();
  rmSync(home, { recursive: true });
});
