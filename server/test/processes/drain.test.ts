import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open-database.ts';
import { clientEntryOf } from '../clients/client-entry.ts';
import { createTestStorage, testDatabaseKind, type TestStorage } from '../database/database.ts';
import { startFaultProxy } from '../faults/fault-proxy.ts';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { prepareServer, servedModel, servedPrice } from './prepare-server.ts';
import { sendRaw, startRaw } from '../clients/raw-client.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { findDisagreements } from '../oracles/find-disagreements.ts';

let storage: TestStorage;
let upstream: FakeUpstream;

beforeAll(async () => {
  storage = await createTestStorage();
  upstream = await startFakeUpstream();
});
afterAll(async () => {
  await upstream.close();
  await storage.remove();
});

const readinessOf = async ({ url }: Pick<ServerProcess, 'url'>) => {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, text: await answer.text() };
};

const start = async () => {
  const { dataDir, databaseUrl } = storage;
  const env = {
    SECRET_KEY: 'a key that this test alone will ever know',
    DRAIN_SECONDS: '4',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  return startServer({ dataDir, env });
};

test('RELAY-10 N3 a server that is stopped is not ready, serves on for a while, finishes running calls, and leaves a correct ledger', async () => {
  const server = await start();
  const authorization = `Bearer ${await prepareServer(server, upstream)}`;
  const bodyOf = (nonce: string, stream: boolean) =>
    JSON.stringify({ model: servedModel, stream, user: nonce, messages: [{ role: 'user', content: 'hello' }] });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  upstream.behave(({ stream }) => (stream ? { words: 8, pause: { afterEvents: 4, until: gate } } : { until: gate }));
  const headers = { authorization, 'content-type': 'application/json' };
  const call = (nonce: string, stream: boolean) =>
    startRaw({ url: server.url, path: '/v1/chat/completions', headers, body: bodyOf(nonce, stream) });
  const stream = call('stream', true);
  const plain = call('plain', false);
  await stream.response;
  await expect.poll(() => upstream.running()).toBe(2);

  const stopped = server.stop('SIGTERM');
  const probe = () => sendRaw({ url: server.url, method: 'GET', path: '/v1/models', headers });
  await expect.poll(async () => (await readinessOf(server)).status).toBe(503);
  expect((await readinessOf(server)).text).toContain('"serving":{"ok":false,"reason":"stopping"}');
  const served = await fetch(`${server.url}/v1/models`, { headers });
  expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
  await expect.poll(async () => (await probe()).status, { timeout: 60_000 }).not.toBe(200);
  open();
  const clients = [clientEntryOf('stream', await stream.answer), clientEntryOf('plain', await plain.answer)];
  expect(clients).toMatchObject([
    { status: 200, complete: true },
    { status: 200, complete: true },
  ]);
  expect(await stopped).toBe(0);

  const db = await openDatabase({ dataDir: storage.dataDir, databaseUrl: storage.databaseUrl });
  try {
    expect(await findDisagreements(db, { clients, upstream: upstream.journal(), price: servedPrice })).toEqual([]);
    expect(await db.read.selectFrom('ledger').select('id').where('kind', '=', 'use').execute()).toHaveLength(2);
  } finally {
    await db.close();
  }
});

if (testDatabaseKind === 'postgres') {
  test('N4 a node that cannot reach PostgreSQL is alive and not ready, and ready again when it can', async () => {
    const place = await createTestStorage();
    const url = new URL(place.databaseUrl ?? '');
    const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const env = { DATABASE_URL: url.href, SECRET_KEY: 'a key that this test alone will ever know' };
    const server = await startServer({ dataDir: place.dataDir, env });
    expect((await readinessOf(server)).status).toBe(200);
    for (const fail of [proxy.freeze, proxy.refuse]) {
      fail();
      await expect
        .poll(async () => (await readinessOf(server)).text, { timeout: 60_000 })
        .toMatch(/"database":\{"ok":false.*"changes":\{"ok":false/);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      proxy.allow();
      await expect.poll(async () => (await readinessOf(server)).status, { timeout: 60_000 }).toBe(200);
    }
    await server.stop('SIGTERM');
    await proxy.close();
    await place.remove();
  });
}
