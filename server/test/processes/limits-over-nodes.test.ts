import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRateLimit } from '@weir/contract/limits/rate-limits';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { signInTo, type ManagementClient } from '../clients/management-client.ts';
import { until } from '../app/relay-app.ts';
import { type Nodes, startNodes } from './nodes.ts';
import { rootPassword } from './server-process.ts';

let nodes: Nodes;
let upstream: FakeUpstream;
let root: ManagementClient;

beforeAll(async () => {
  nodes = await startNodes(4);
  upstream = await startFakeUpstream();
  root = await signInTo(nodes.url(0), 'root', rootPassword);
});
afterAll(async () => {
  await nodes.close();
  await upstream.close();
});

const model = 'weir-test';

const ask = async (url: string, key: string) => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'x' }] }),
  });
  await response.text();
  return { status: response.status, remaining: response.headers.get('x-ratelimit-remaining-requests') };
};

const newKey = async (name: string): Promise<string> => {
  const { key } = await root.call<{ key: string }>('POST', '/api/token/', { name, unlimited_quota: true });
  return key;
};

test('four nodes together admit the amount of a limit, and none of them more than its part', async () => {
  await root.call('PUT', '/api/option/', { key: 'ModelRatio', value: `{"${model}":1}` });
  const channel = { type: 8, key: upstream.key, models: model, group: 'default', base_url: upstream.url };
  await root.call('POST', '/api/channel/', { ...channel, name: 'upstream' });
  const [probe, key] = [await newKey('probe'), await newKey('limited')];
  await root.call('POST', createRateLimit.path, { scope: 'token', metric: 'requests', period: 'day', amount: 20 });
  const part = 20 / nodes.count;
  const urls = Array.from({ length: nodes.count }, (_, index) => nodes.url(index));
  // Each token has the amount for itself: one shows when every node knows the rule and the others.
  for (const url of urls) await until(async () => (await ask(url, probe)).remaining === String(part - 1));

  const answers = await Promise.all(urls.flatMap((url) => Array.from({ length: 50 }, () => ask(url, key))));
  const served = answers.map(({ status }, index) => ({ status, node: Math.floor(index / 50) }));
  for (const node of urls.keys())
    expect(served.filter((each) => each.node === node && each.status === 200)).toHaveLength(part);
  expect(served.filter(({ status }) => status === 429)).toHaveLength(urls.length * 50 - 20);
});
