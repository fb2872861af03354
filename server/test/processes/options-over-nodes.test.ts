import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { openClient, signInTo, type ManagementClient } from '../clients/management-client.ts';
import { until } from '../app/relay-app.ts';
import { type Nodes, startNodes } from './nodes.ts';
import { rootPassword } from './server-process.ts';

let nodes: Nodes;
let upstream: FakeUpstream;
let root: ManagementClient;

beforeAll(async () => {
  // On SQLite the one process is both the changed and the checked node.
  nodes = await startNodes(2);
  upstream = await startFakeUpstream();
  root = await signInTo(nodes.url(0), 'root', rootPassword);
});
afterAll(async () => {
  await nodes.close();
  await upstream.close();
});

/** The node that did not make the change. */
const elsewhere = (): string => nodes.url(1);
const set = (key: string, value: string) => root.call('PUT', '/api/option/', { key, value });
const read = (path: string): Promise<unknown> => openClient(elsewhere()).call('GET', path);

test('OPT-Notice OPT-About OPT-HomePageContent SET-14 a text shows on every node', async () => {
  for (const [key, path] of [
    ['Notice', '/api/notice'],
    ['About', '/api/about'],
    ['HomePageContent', '/api/home_page_content'],
  ] as const) {
    await set(key, `# ${key}`);
    await until(async () => (await read(path)) === `# ${key}`);
    expect(await read(path)).toBe(`# ${key}`);
  }
});

test('OPT-SystemName OPT-Theme OPT-QuotaPerUnit OPT-ChatLink SET-14 the status changes on every node', async () => {
  await set('SystemName', 'Dam');
  await set('Theme', 'dark');
  await set('QuotaPerUnit', '1000');
  await set('ChatLink', 'https://chat.example');
  await until(async () => JSON.stringify(await read('/api/status')).includes('chat.example'));
  expect(await read('/api/status')).toMatchObject({
    system_name: 'Dam',
    theme: 'dark',
    quota_per_unit: 1000,
    chat_link: 'https://chat.example',
  });
});

test('OPT-ModelRatio OPT-RetryTimes prices and retries change on every node', async () => {
  const model = 'weir-test';
  const channel = { type: 8, key: upstream.key, models: model, group: 'default' };
  await root.call('POST', '/api/channel/', { ...channel, name: 'good', base_url: upstream.url });
  const dead = await startFakeUpstream();
  await dead.close();
  await root.call('POST', '/api/channel/', { ...channel, name: 'dead', base_url: dead.url, priority: 9 });
  const { key } = await root.call<{ key: string }>('POST', '/api/token/', { name: 'all', unlimited_quota: true });
  upstream.behave(() => ({ usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }));
  const ask = async (): Promise<number> => {
    const response = await fetch(`${elsewhere()}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'x' }] }),
    });
    await response.text();
    return response.status;
  };
  const costs = async (): Promise<number[]> =>
    (await root.call<{ quota: number }[]>('GET', '/api/log/?type=2')).map(({ quota }) => quota);

  await set('ModelRatio', `{"${model}":2}`);
  await set('RetryTimes', '0');
  await until(async () => (await ask()) === 502);
  await set('ModelRatio', `{"${model}":3}`);
  await set('RetryTimes', '1');
  await until(async () => (await ask()) === 200);
  await until(async () => (await ask()) === 200 && (await costs()).includes(330));
  expect(await ask()).toBe(200);
});

test('a price in dollars counts at once on the node that it was set on, and soon on every node', async () => {
  const model = 'priced-in-dollars';
  const channel = {
    type: 8,
    key: upstream.key,
    models: model,
    group: 'default',
    name: 'priced',
    base_url: upstream.url,
  };
  await root.call('POST', '/api/channel/', channel);
  const { key } = await root.call<{ key: string }>('POST', '/api/token/', { name: 'priced', unlimited_quota: true });
  upstream.behave(() => ({ usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 } }));
  const askAt = async (url: string): Promise<number> => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'x' }] }),
    });
    await response.text();
    return response.status;
  };
  const costs = async (): Promise<number[]> =>
    (await root.call<{ quota: number }[]>('GET', `/api/log/?type=2&model_name=${model}`)).map(({ quota }) => quota);
  await set('QuotaPerUnit', '500000');
  await set('UnpricedModels', 'fallback');
  await root.call('PUT', '/api/prices/own', { model, card: { rates: { input: '1', output: '5' } } });
  // The call comes to a node that may not yet know the channel, but never to an old price.
  await until(async () => (await askAt(nodes.url(0))) === 200);
  expect(await costs()).toEqual([750]);
  await until(
    async () => (await askAt(elsewhere())) === 200 && (await costs()).filter((cost) => cost === 750).length > 1,
  );
  await root.call('DELETE', `/api/prices/own?model=${model}`);
  // Without it the fallback ratio applies, which is far higher.
  expect(await askAt(nodes.url(0))).toBe(200);
  expect(Math.max(...(await costs()))).toBeGreaterThan(750);
  await until(async () => (await askAt(elsewhere())) === 200 && (await costs())[0] !== 750);
});
