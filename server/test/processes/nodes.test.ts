import { nodeSchema, type NodeView } from '@weir/contract/nodes/nodes';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { signInTo } from '../clients/management-client.ts';
import { createTestStorage, testDatabaseKind } from '../database/database.ts';
import { rootPassword, startServer } from './server-process.ts';

const nodeCount = testDatabaseKind === 'postgres' ? 2 : 1;

test('N1 O4 the list of nodes has each with its state, load and work, also one that stands still and one that is killed', async () => {
  await using stack = new AsyncDisposableStack();
  const storage = await createTestStorage();
  stack.defer(storage.remove);
  const start = async (index: number) => {
    const env = { SECRET_KEY: 'a key that all nodes of this test know', NODE_NAME: `node-${index}` };
    const own = storage.databaseUrl === undefined ? {} : { DATABASE_URL: storage.databaseUrl };
    const server = await startServer({ dataDir: `${storage.dataDir}/${index}`, env: { ...env, ...own } });
    stack.defer(async () => void (await server.stop('SIGKILL')));
    return server;
  };
  const [first, second] = [await start(0), nodeCount > 1 ? await start(1) : undefined];
  const root = await signInTo(first.url, 'root', rootPassword);
  const list = async (): Promise<readonly NodeView[]> =>
    v.parse(v.array(nodeSchema), await root.call('GET', '/api/node/'));
  const stateOf = async (name: string) => (await list()).find((node) => node.name === name)?.state;

  const [own, other] = await list();
  expect(own).toMatchObject({ name: 'node-0', own: true, state: 'running', holds: 0 });
  expect(own?.load.memory).toBeGreaterThan(50 << 20);
  await expect.poll(async () => (await list()).flatMap(({ work }) => work)).toContain('reconcile');
  if (second === undefined) return;
  expect(other).toMatchObject({ name: 'node-1', own: false, state: 'running', version: own?.version });
  expect(other?.load.lag_ms).toBeLessThan(3000);

  process.kill(second.pid, 'SIGSTOP');
  await expect.poll(() => stateOf('node-1'), { timeout: 40_000, interval: 500 }).toBe('silent');
  process.kill(second.pid, 'SIGCONT');
  await expect.poll(() => stateOf('node-1'), { timeout: 20_000 }).toBe('running');
  await second.stop('SIGKILL');
  await expect.poll(() => stateOf('node-1'), { timeout: 20_000 }).toBe('gone');
});
