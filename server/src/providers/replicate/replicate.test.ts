import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatClient } from '../../../test/clients/chat-client.ts';
import { type FakeReplicate, replicateKey, startFakeReplicate } from '../../../test/fakes/vendors/fake-replicate.ts';
import { messagesClient } from '../../../test/clients/messages-client.ts';
import { buildRelayApp, testPrice, type RelayApp } from '../../../test/app/relay-app.ts';
import type { RelayUser } from '../../../test/app/relay-user.ts';
import type { DialectClient } from '../../../test/clients/dialect-client.ts';

const model = 'meta/meta-llama-3-70b-instruct';
const painter = 'black-forest-labs/flux-schnell';
let relay: RelayApp;
let user: RelayUser;
let replicate: FakeReplicate;
let channel = 0;

beforeAll(async () => {
  relay = await buildRelayApp();
  replicate = await startFakeReplicate();
  user = await relay.addUser();
  await relay.setOption('ModelRatio', JSON.stringify({ [model]: 1, [painter]: 1 }));
  await relay.setOption('CompletionRatio', JSON.stringify({ [model]: 2 }));
  const models = `${model},${painter}`;
  channel = await relay.addChannel({ type: 46, base_url: `${replicate.url}/v1/models`, key: replicateKey, models });
});
afterAll(async () => {
  await relay.close();
  await replicate.close();
});

const ask = (client: DialectClient) =>
  relay.ask({
    key: user.key,
    path: client.path({ kind: 'text', model, stream: false }),
    body: JSON.stringify(client.body({ kind: 'text', model, stream: false })),
  });
const clients = [chatClient, messagesClient];
const pieces = ['Hello, ', '世界', '!\n', 'Bye.'];
const said = pieces.join('');

test('PROVIDER-46 RELAY-03 waits for whole predictions, and charges what they report', async () => {
  const metrics = { input_token_count: 25, output_token_count: 15, predict_time: 0.4 };
  for (const polls of [0, 2]) {
    replicate.behave({ status: 'succeeded', output: pieces, metrics }, polls);
    for (const client of clients) {
      const answer = await ask(client);
      expect(answer.status, answer.text).toBe(200);
      expect(client.readWhole(answer.text)).toMatchObject({ text: said, finish: 'stop', ended: true });
      const amount = testPrice({ prompt: 25, completion: 15 });
      expect(await relay.chargeOf(answer.requestId)).toEqual({ amount, estimated: 0 });
    }
  }
  const created = replicate.requests().find(({ method }) => method === 'POST');
  expect(created).toMatchObject({
    path: `/v1/models/${model}/predictions`,
    headers: { prefer: 'wait=60' },
    body: { input: { prompt: 'How is Paris?', system_prompt: 'Be brief.', max_tokens: 4000, temperature: 0.5 } },
  });
  expect(replicate.faults()).toEqual([]);
});

test('PROVIDER-46 reports failed predictions, and refuses what it cannot request', async () => {
  replicate.behave({ status: 'failed', output: null, error: 'CUDA out of memory' }, 1);
  const failed = await ask(chatClient);
  expect(failed.status).toBe(502);
  expect(failed.error['message']).toContain('CUDA out of memory');
  expect(await relay.chargeOf(failed.requestId)).toBeNull();
  await relay.changeChannel(channel, { key: 'r8_wrong' });
  expect((await ask(chatClient)).error).toMatchObject({ type: 'upstream_authentication_error' });
  await relay.changeChannel(channel, { key: replicateKey });
  const tools = [{ type: 'function', function: { name: 'now' } }];
  const messages = [{ role: 'user', content: 'x' }];
  const body = { model, messages, tools, tool_choice: 'required' };
  expect((await relay.ask({ key: user.key, body })).status).toBe(400);
});

test('PROVIDER-46 RELAY-02 makes images with the nearest aspect ratio, and returns their URLs', async () => {
  const address = 'https://replicate.delivery/xyz/out-0.png';
  replicate.behave({ status: 'succeeded', output: [address] }, 1);
  const paint = (members: object) =>
    relay.ask({
      key: user.key,
      path: '/v1/images/generations',
      body: JSON.stringify({ model: painter, prompt: 'a weir', ...members }),
    });
  const answer = await paint({ size: '1792x1024' });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json).toMatchObject({ data: [{ url: address }] });
  const created = replicate.requests().findLast(({ method }) => method === 'POST');
  expect(created?.body).toEqual({ input: { prompt: 'a weir', aspect_ratio: '16:9' } });
  expect((await relay.chargeOf(answer.requestId))?.amount).toBe(1000);
  for (const members of [{ n: 2 }, { response_format: 'b64_json' }]) expect((await paint(members)).status).toBe(400);
});
