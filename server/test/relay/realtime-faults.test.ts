import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open-database.ts';
import { createTestStorage, type TestStorage } from '../database/database.ts';
import { type FakeRealtime, startFakeRealtime } from '../fakes/fake-realtime.ts';
import { prepareServer, servedModel, servedPrice } from '../processes/prepare-server.ts';
import { openSession } from '../clients/realtime-client.ts';
import { until } from '../app/relay-app.ts';
import { startServer } from '../processes/server-process.ts';

const upstreamKey = 'sk-realtime-upstream';
let storage: TestStorage;
let upstream: FakeRealtime;

beforeAll(async () => {
  storage = await createTestStorage();
  upstream = await startFakeRealtime('authorization', upstreamKey);
});
afterAll(async () => {
  await upstream.close();
  await storage.remove();
});

const start = () => {
  const { dataDir, databaseUrl } = storage;
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  return startServer({ dataDir, env: { SECRET_KEY: 'a key that this test alone will ever know', ...database } });
};

const charges = async () => {
  const db = await openDatabase({ dataDir: storage.dataDir, databaseUrl: storage.databaseUrl });
  try {
    const holds = await db.read.selectFrom('holds').select('request_id').execute();
    const uses = await db.read
      .selectFrom('ledger')
      .select(['request_id', 'amount'])
      .where('kind', '=', 'use')
      .execute();
    return { holds: holds.length, amounts: new Map(uses.map(({ request_id: id, amount }) => [id, Number(amount)])) };
  } finally {
    await db.close();
  }
};

test('RELAY-07 RELAY-10 what sessions have answered is charged after a kill, and a stop waits for their answers alone', async () => {
  upstream.behave({ usage: { input_tokens: 40, output_tokens: 4, total_tokens: 44 } });
  const killed = await start();
  const key = await prepareServer(killed, { url: upstream.url, key: upstreamKey });
  const path = `/v1/realtime?model=${servedModel}`;
  const lost = await openSession({ url: killed.url, path, key });
  lost.send({ type: 'response.create' });
  await lost.until('response.done');
  await killed.stop('SIGKILL');
  expect((await lost.ended)[0]).toBe(1006);

  const stopped = await start();
  const idle = await openSession({ url: stopped.url, path, key });
  const busy = await openSession({ url: stopped.url, path, key });
  const gate = Promise.withResolvers<void>();
  upstream.behave({ until: gate.promise, usage: { input_tokens: 50, output_tokens: 5, total_tokens: 55 } });
  busy.send({ type: 'response.create' });
  await busy.until('response.output_audio_transcript.delta');
  const end = stopped.stop('SIGTERM');
  expect(await idle.ended).toEqual([1001, 'stopping']);
  gate.resolve();
  expect(await busy.ended).toEqual([1001, 'stopping']);
  expect(busy.events.map(({ type }) => type)).toContain('response.done');
  expect(await end).toBe(0);
  await until(() => upstream.open() === 0);

  const { holds, amounts } = await charges();
  expect(holds).toBe(0);
  expect(amounts.get(lost.requestId)).toBe(servedPrice({ prompt: 40, completion: 4 }));
  expect(amounts.get(busy.requestId)).toBe(servedPrice({ prompt: 50, completion: 5 }));
  expect(amounts.size).toBe(2);
});
