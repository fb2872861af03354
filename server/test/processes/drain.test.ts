import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open-database.ts';
import { clientEntryOf } from '../clients/client-entry.ts';
import { createTestStorage, type TestStorage } from '../database/database.ts';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { prepareServer, servedModel, servedPrice } from './prepare-server.ts';
import { sendRaw, startRaw } from '../clients/raw-client.ts';
import { startServer } from './server-process.ts';
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

const start = async () => {
  const { dataDir, databaseUrl } = storage;
  const env = {
    SECRET_KEY: 'a key that this test alone will ever know',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  return startServer({ dataDir, env });
};

test('RELAY-10 a server that is stopped finishes running calls, accepts no new ones, and leaves a correct ledger', async () => {
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
  await expect.poll(async () => (await probe()).status).not.toBe(200);
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
