/**
 * Time that accounting adds to the first byte of a stream: calls of a priced model, whose hold must be durable before
 * that byte, alternate with calls of a free model, which has no hold, through the same server, on the database of
 * TEST_DATABASE. The result is stored in `bench/results/`: `node bench/first-byte.ts [calls of each]`.
 */
import { request } from 'node:http';
import { createTestStorage, testDatabaseKind } from '../server/test/database/database.ts';
import { startFakeUpstream } from '../server/test/fakes/fake-upstream.ts';
import { signInTo } from '../server/test/clients/management-client.ts';
import { prepareServer, servedModel } from '../server/test/processes/prepare-server.ts';
import { rootPassword, startServer } from '../server/test/processes/server-process.ts';
import { circumstances, keepResult, numberArgument } from './circumstances.ts';

const calls = numberArgument(2000);
const atOnce = 4;
const freeModel = 'weir-free';
/** Shorter than the delay of any real model. */
const upstreamMs = 20;
const addedMsMax = 1;

await using ends = new AsyncDisposableStack();
const before = circumstances();
const database = ends.adopt(await createTestStorage(), ({ remove }) => remove());
const upstream = ends.adopt(await startFakeUpstream(), ({ close }) => close());
upstream.behave(() => ({ words: 3, delayMs: upstreamMs }));
const env = {
  SECRET_KEY: 'a key that this run alone will ever know',
  ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
};
const server = ends.adopt(
  await startServer({ dataDir: database.dataDir, env }),
  async ({ stop }) => void (await stop('SIGTERM')),
);
const key = await prepareServer(server, upstream);
const root = await signInTo(server.url, 'root', rootPassword);
await root.call('PUT', '/api/option/', {
  key: 'ModelRatio',
  value: JSON.stringify({ [servedModel]: 1, [freeModel]: 0 }),
});
await root.call('PUT', '/api/channel/', { id: 1, models: `${servedModel},${freeModel}` });

/** Milliseconds until the first byte of the body. */
const firstByte = (model: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const body = JSON.stringify({ model, stream: true, max_tokens: 40, user: 'first-byte', messages });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const began = performance.now();
    let took: number | undefined;
    const call = request(`${server.url}/v1/chat/completions`, { method: 'POST', headers }, (response) => {
      response.once('data', () => (took = performance.now() - began));
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 && took !== undefined
          ? resolve(took)
          : reject(new Error(`status ${response.statusCode}`)),
      );
    });
    call.on('error', reject);
    call.end(body);
  });

const times: Record<'counted' | 'free', number[]> = { counted: [], free: [] };
const client = async (share: number) => {
  for (let index = 0; index < share; index += 1) {
    // In turn, each first equally often, so that other load on the machine affects both.
    const order = index % 2 === 0 ? (['counted', 'free'] as const) : (['free', 'counted'] as const);
    for (const kind of order) times[kind].push(await firstByte(kind === 'free' ? freeModel : servedModel));
  }
};
await client(50);
times.counted.length = 0;
times.free.length = 0;
await Promise.all(Array.from({ length: atOnce }, () => client(Math.ceil(calls / atOnce))));

const figuresOf = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2));
  return { calls: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) };
};
const counted = figuresOf(times.counted);
const free = figuresOf(times.free);
const added = { p50: counted.p50 - free.p50, p90: counted.p90 - free.p90, p99: counted.p99 - free.p99 };
const addedMs = Object.fromEntries(Object.entries(added).map(([name, ms]) => [name, Number(ms.toFixed(2))]));
keepResult(`first-byte-${testDatabaseKind}`, {
  what: 'milliseconds to the first byte of a stream, of calls that are held for and of calls that are not, in turn',
  database: testDatabaseKind,
  ...before,
  atOnce,
  upstreamMs,
  addedMsMax,
  counted,
  free,
  addedMs,
});
console.log(`${testDatabaseKind}: ${JSON.stringify({ counted, free, addedMs })}`);
process.exitCode = added.p99 <= addedMsMax ? 0 : 1;
