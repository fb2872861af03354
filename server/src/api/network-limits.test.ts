import { afterEach, expect, test } from 'vitest';
import { role } from '@weir/contract/roles';
import { buildTestApp, type TestApp, type TestAppOptions } from '../../test/app/app.ts';

let app: TestApp;
afterEach(() => app.close());

const path = '/api/network_limits';
const forwarded = { 'x-forwarded-for': '203.0.113.5' };
const warnings = (): number => app.logged().split('limits per network are off').length - 1;

const latestAfter = async (options: TestAppOptions, headers: Readonly<Record<string, string>>): Promise<unknown> => {
  app = await buildTestApp(options);
  const admin = await app.addUser('admin', role.admin);
  expect(await admin.data('GET', path)).toEqual({ unlimited_peer: '' });
  for (let call = 0; call < 3; call += 1) await app.visitor(headers).call('GET', '/api/status');
  return admin.data('GET', path);
};

test('S16 a proxy that is not declared is reported to administrators, and once in the log', async () => {
  expect(await latestAfter({}, forwarded)).toEqual({ unlimited_peer: '127.0.0.1' });
  expect(warnings()).toBe(1);
});

test('S16 a declared proxy, and a client on the same machine, are not reported', async () => {
  expect(await latestAfter({ trustedProxies: ['127.0.0.1'] }, forwarded)).toEqual({ unlimited_peer: '' });
  await app.close();
  expect(await latestAfter({}, {})).toEqual({ unlimited_peer: '' });
  expect(warnings()).toBe(0);
});

test('S16 a private peer beside the declared proxies is reported where it forwards a client', async () => {
  expect(await latestAfter({ trustedProxies: ['10.9.9.9'] }, forwarded)).toEqual({ unlimited_peer: '127.0.0.1' });
});

test('S16 only administrators see it', async () => {
  app = await buildTestApp();
  expect((await app.visitor().call('GET', path)).status).toBe(401);
  expect(await (await app.addUser('ordinary')).refused('GET', path)).toContain('insufficient permission');
});
