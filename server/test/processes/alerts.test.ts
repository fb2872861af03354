import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer, type Server } from 'node:http';
import { createCaller } from '../app/app.ts';
import { createTestStorage, type TestStorage } from '../database/database.ts';
import { rootPassword, startServer } from './server-process.ts';

let storage: TestStorage;
let receiver: Server;
beforeAll(async () => {
  storage = await createTestStorage();
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await storage.remove();
});

test('a server that is killed between the commit of an alert and its delivery delivers it after the next start, with the same id', async () => {
  const ids: string[] = [];
  let onRequest = (): void => {};
  let isUp = false;
  receiver = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']));
    request.resume();
    if (isUp) response.writeHead(204).end();
    else onRequest();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  const { dataDir, databaseUrl } = storage;
  const env = {
    SECRET_KEY: 'a key that this test alone will ever know',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  const first = await startServer({ dataDir, env });
  const delivering = new Promise<void>((resolve) => (onRequest = resolve));
  const root = createCaller(first.url);
  await root.data('POST', '/api/user/login', { username: 'root', password: rootPassword });
  const expires = Math.floor(Date.now() / 1000) + 86_400;
  await root.data('POST', '/api/token/', { name: 'Soon', expired_time: expires, remain_quota: 1 });
  const hook = { name: 'Hook', kind: 'webhook', enabled: true, quiet: null, secret: 'secret' };
  await root.data('POST', '/api/alert/destination/', { ...hook, address: `http://127.0.0.1:${port}/hook` });
  const rule = { name: 'Keys', kind: 'key_expires', severity: 'warning', enabled: true, threshold: 7 };
  await root.data('POST', '/api/alert/rule/', { ...rule, repeat_minutes: 0, destinations: [1] });
  await delivering;
  await first.stop('SIGKILL');

  isUp = true;
  const second = await startServer({ dataDir, env });
  const again = createCaller(second.url);
  await again.data('POST', '/api/user/login', { username: 'root', password: rootPassword });
  await expect
    .poll(async () => again.data('GET', '/api/alert/'), { timeout: 60_000 })
    .toMatchObject([{ state: 'open', rule_name: 'Keys', sent: 1, waiting: 0, dead: 0 }]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  await second.stop('SIGTERM');
});
