import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open-database.ts';
import { verifyLedger } from '../../src/store/ledger/verify.ts';
import { until } from '../app/relay-app.ts';
import { signInTo } from '../clients/management-client.ts';
import { createTestStorage, testDatabaseKind, type TestStorage } from '../database/database.ts';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { promptTokens } from '../oracles/count-tokens.ts';
import { prepareServer, servedModel, servedPrice } from './prepare-server.ts';
import { failToStart, rootPassword, startServer, type ServerProcess } from './server-process.ts';

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

const secretKey = 'a key that this test alone will ever know';

test('WORKERS above 1 is refused with SQLite, and says why', async () => {
  const { code, output } = await failToStart({ DATA_DIR: storage.dataDir, WORKERS: '2' });
  expect([code, output]).toEqual([1, expect.stringContaining('WORKERS above 1 needs DATABASE_URL')]);
  expect(output).not.toContain('    at ');
});

const childrenOf = (pid: number): number[] =>
  spawnSync('ps', ['-axo', 'ppid=,pid='], { encoding: 'utf8' })
    .stdout.split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([parent, child = 0]) => (parent === pid ? [child] : []));

/** Relayed calls that were answered with 200, by worker. */
const servedBy = async ({ url }: ServerProcess): Promise<ReadonlyMap<string, number>> => {
  const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
  const lines = [...text.matchAll(/^weir_relay_requests_total\{status="200",worker="([^"]+)"\} (\d+)$/gm)];
  return new Map(lines.map(([, worker = '', count]) => [worker, Number(count)]));
};

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, each) => sum + each, 0);

// A SQLite file has one process that writes.
if (testDatabaseKind === 'postgres') {
  test('workers share one port and one ledger: a balance for ten serves ten, figures are whole, and a killed one is replaced', async () => {
    const { dataDir, databaseUrl = '' } = storage;
    const env = { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, WORKERS: '3', NODE_NAME: 'relay' };
    const server = await startServer({ dataDir, env });
    const key = await prepareServer(server, upstream);
    const ask = async (as = key): Promise<number> => {
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        // A connection of its own, for any worker.
        headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ model: servedModel, max_tokens: 1, messages: [{ role: 'user', content: 'x' }] }),
      });
      await response.text();
      return response.status;
    };
    for (let count = 0; count < 30; count += 1) expect(await ask()).toBe(200);
    await until(async () => sumOf(await servedBy(server)) === 30);
    expect([...(await servedBy(server)).keys()].toSorted()).toEqual(['relay-1', 'relay-2', 'relay-3']);

    const messages = [{ role: 'user', content: 'x' }];
    const prompt = promptTokens(messages);
    upstream.behave(() => ({
      words: 1,
      usage: { prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 },
    }));
    const root = await signInTo(server.url, 'root', rootPassword);
    const { key: ten } = await root.call<{ key: string }>('POST', '/api/token/', {
      name: 'ten',
      remain_quota: 10 * servedPrice({ prompt, completion: 1 }),
    });
    const answers = await Promise.all(Array.from({ length: 300 }, () => ask(`sk-${ten}`)));
    expect(answers.filter((status) => status === 200)).toHaveLength(10);
    expect(new Set(answers)).toEqual(new Set([200, 403]));

    const [victim = 0] = childrenOf(server.pid);
    const running = Array.from({ length: 30 }, () => ask().catch(() => 0));
    process.kill(victim, 'SIGKILL');
    await Promise.all(running);
    await until(() => childrenOf(server.pid).length === 3 && !childrenOf(server.pid).includes(victim));
    await until(async () => (await servedBy(server)).size === 3 || (await ask()) !== 200);
    expect(await server.stop('SIGTERM')).toBe(0);
    expect(server.output()).toContain('it is started again');

    const db = await openDatabase({ dataDir, databaseUrl, nodeName: 'judge', secretFingerprint: undefined });
    expect((await verifyLedger(db)).findings).toEqual([]);
    await db.close();
  });

  test('all workers end with a primary that is killed', async () => {
    const { dataDir, databaseUrl = '' } = storage;
    const env = { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, WORKERS: '2', NODE_NAME: 'relay' };
    const server = await startServer({ dataDir, env });
    const workers = childrenOf(server.pid);
    expect(workers).toHaveLength(2);
    await server.stop('SIGKILL');
    const isAlive = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await until(() => !workers.some(isAlive));
  });
}
