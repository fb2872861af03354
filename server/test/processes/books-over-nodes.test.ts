import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../app/relay-app.ts';
import { type ManagementClient, signInTo } from '../clients/management-client.ts';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { type Nodes, startNodes } from './nodes.ts';
import { rootPassword } from './server-process.ts';

let nodes: Nodes;
let clients: readonly ManagementClient[] = [];
let upstream: FakeUpstream;

beforeAll(async () => {
  nodes = await startNodes(2);
  upstream = await startFakeUpstream();
  clients = await Promise.all([0, 1].map((index) => signInTo(nodes.url(index), 'root', rootPassword)));
});
afterAll(async () => {
  await nodes.close();
  await upstream.close();
});

const model = 'priced-by-a-book';
const clientAt = (index: number): ManagementClient => {
  const client = clients.at(index);
  if (client === undefined) throw new Error('no such node');
  return client;
};

test('of two approvals on two nodes at once one counts, on every node, and old charges keep their prices', async () => {
  const [first, last] = [clientAt(0), clientAt(1)];
  const channel = { type: 8, key: upstream.key, models: model, group: 'default', name: 'x', base_url: upstream.url };
  await first.call('POST', '/api/channel/', channel);
  const { key } = await first.call<{ key: string }>('POST', '/api/token/', { name: 'x', unlimited_quota: true });
  upstream.behave(() => ({ usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 } }));
  const askAt = async (index: number): Promise<number> => {
    const response = await fetch(`${nodes.url(index)}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'x' }] }),
    });
    await response.text();
    return response.status;
  };
  const costs = async (): Promise<number[]> =>
    (await first.call<{ quota: number }[]>('GET', `/api/log/?type=2&model_name=${model}`)).map(({ quota }) => quota);
  const propose = async (client: ManagementClient, input: string) => {
    const price = { rates: { input, output: '5' } };
    const entry = { vendor: 'openai', model, mode: 'chat', price, from: '2026-01-01' };
    const content = JSON.stringify({ name: '2026-12', entries: [entry] });
    const source = { kind: 'file', name: 'x.json', content };
    await client.call('POST', '/api/price_book/proposal', { source });
    const { proposal, against } = await client.call<{ proposal: { id: number }; against: number }>(
      'GET',
      '/api/price_book/proposal',
    );
    return { proposal: proposal.id, against, chosen: 'all', keep: true };
  };

  const body = await propose(first, '1');
  const answers = await Promise.allSettled(
    [first, last].map((client) => client.call('POST', '/api/price_book/approve', body)),
  );
  expect(answers.map(({ status }) => status).toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
    'fulfilled',
    'rejected',
  ]);
  // New installations refuse models without a price, until the book counts on a node.
  for (const index of [0, 1]) await until(async () => (await askAt(index)) === 200);
  expect(new Set(await costs())).toEqual(new Set([750]));

  const before = await costs();
  await last.call('POST', '/api/price_book/approve', await propose(last, '3'));
  for (const index of [0, 1]) await until(async () => (await askAt(index)) === 200 && (await costs())[0] === 1750);
  expect((await costs()).filter((cost) => cost === 750).length).toBeGreaterThanOrEqual(before.length);
});
