import { expect, test } from 'vitest';
import { buildTestApp } from '../../test/app/app.ts';

test('C41 the audit log has an IPv4 address as such, also where it is written inside an IPv6 one', async () => {
  const app = await buildTestApp({ trustedProxies: ['127.0.0.1', '::1'] });
  const client = app.visitor({ 'x-forwarded-for': '::ffff:203.0.113.9' });
  await client.refused('POST', '/api/user/login', { username: 'root', password: 'not the password' });
  const root = await app.root();
  expect(await root.data('GET', '/api/audit/')).toContainEqual(
    expect.objectContaining({ action: 'login_failed', address: '203.0.113.9' }),
  );
  await app.close();
});
