import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import { chatClient } from '../../clients/chat-client.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { aliForm, aliPlugin } from '../../fakes/vendors/fake-ali.ts';
import { anthropicForm } from '../../fakes/vendors/fake-anthropic.ts';
import { geminiForm } from '../../fakes/vendors/fake-gemini.ts';
import { eventData } from '../../parsing/event-data.ts';
import { listOf, objectOf, parseObject, textOf } from '../../parsing/json.ts';

let relay: RelayApp;
let key: string;
const upstreams = new Map<string, FakeUpstream>();

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.setOption('RetryTimes', '0');
  await relay.setOption('ModelRatio', JSON.stringify({ gemini: 1, qwen: 1, claude: 1 }));
  await relay.setOption('CompletionRatio', JSON.stringify({ gemini: 2, qwen: 2, claude: 2 }));
  const gemini = await relay.addUpstream({
    form: geminiForm,
    keyHeader: 'x-goog-api-key',
    path: /generateContent|stream/i,
  });
  const ali = await relay.addUpstream({ form: aliForm });
  const claude = await relay.addUpstream({ form: anthropicForm, keyHeader: 'x-api-key', path: /^\/v1\/messages$/ });
  await relay.addChannel({ type: 24, base_url: gemini.url, key: gemini.key, models: 'gemini' });
  await relay.addChannel({ type: 17, base_url: ali.url, key: ali.key, models: 'qwen', other: aliPlugin });
  await relay.addChannel({ type: 14, base_url: claude.url, key: claude.key, models: 'claude' });
  upstreams.set('gemini', gemini).set('qwen', ali);
  ({ key } = await relay.addUser());
});
afterAll(() => relay.close());

const candidate = (index: number, text: string, finishReason?: string) => ({
  content: { role: 'model', parts: [{ text }] },
  index,
  ...(finishReason !== undefined && { finishReason }),
});
const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 4, totalTokenCount: 9 };
const geminiEvent = (data: object) => `data: ${JSON.stringify(data)}\r\n\r\n`;

const choice = (index: number, content: string, finish_reason = 'null') => ({
  index,
  finish_reason,
  message: { role: 'assistant', content },
});
const aliUsage = { input_tokens: 5, output_tokens: 4, total_tokens: 9 };
const aliData = (choices: readonly object[]) => ({ output: { choices }, usage: aliUsage, request_id: 'u' });
const aliEvent = (choices: readonly object[]) => `event:result\ndata:${JSON.stringify(aliData(choices))}\n\n`;

const vendors = [
  {
    model: 'gemini',
    requested: (body: object) => objectOf(objectOf(body)['generationConfig'])['candidateCount'],
    whole: { candidates: [candidate(0, 'one', 'STOP'), candidate(1, 'two', 'MAX_TOKENS')], usageMetadata },
    events: [
      geminiEvent({ candidates: [candidate(0, 'o'), candidate(1, 'tw')] }),
      geminiEvent({ candidates: [candidate(1, 'o', 'MAX_TOKENS')] }),
      geminiEvent({ candidates: [candidate(0, 'ne', 'STOP')], usageMetadata }),
    ],
  },
  {
    model: 'qwen',
    requested: (body: object) => objectOf(objectOf(body)['parameters'])['n'],
    whole: aliData([choice(0, 'one', 'stop'), choice(1, 'two', 'length')]),
    events: [
      aliEvent([choice(0, 'o')]),
      aliEvent([choice(1, 'tw')]),
      aliEvent([choice(1, 'o', 'length')]),
      aliEvent([choice(0, 'ne', 'stop')]),
    ],
  },
] as const;

const ask = (model: string, members: object) =>
  relay.ask({ key, body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...members }) });

describe.each(vendors)('$model', ({ model, requested, whole, events }) => {
  test('R19 several answers of one call reach the client, and their tokens are charged', async () => {
    upstreams.get(model)?.behave((request) => (request.stream ? { events } : { body: JSON.stringify(whole) }));
    const plain = await ask(model, { n: 2 });
    expect(plain.status, plain.text).toBe(200);
    expect(plain.json['choices']).toMatchObject([
      { index: 0, message: { content: 'one' }, finish_reason: 'stop' },
      { index: 1, message: { content: 'two' }, finish_reason: 'length' },
    ]);
    const sent = upstreams.get(model)?.journal().at(-1)?.body.toString() ?? '';
    expect(requested(parseObject(sent))).toBe(2);

    const streamed = await ask(model, { n: 2, stream: true, stream_options: { include_usage: true } });
    const chunks = eventData(streamed.text)
      .filter((data) => data !== '[DONE]')
      .map((data) => listOf(parseObject(data)['choices']));
    const texts = [0, 1].map((index) =>
      chunks
        .flat()
        .filter((one) => one['index'] === index)
        .map((one) => textOf(objectOf(one['delta'])['content']))
        .join(''),
    );
    const finishes = chunks
      .flat()
      .flatMap(({ index, finish_reason: reason }) => (reason === null ? [] : [[String(index), reason] as const]));
    expect(texts).toEqual(['one', 'two']);
    expect(Object.fromEntries(finishes)).toEqual({
      0: 'stop',
      1: 'length',
    });
    expect(streamed.text.trimEnd().endsWith('data: [DONE]')).toBe(true);
    for (const { requestId } of [plain, streamed])
      expect(await relay.chargeOf(requestId)).toEqual({ amount: 5 + 2 * 4, estimated: 0 });
  });

  test('R19 a stream that ends before all of its answers do is no complete one', async () => {
    upstreams.get(model)?.behave(() => ({ events: events.slice(0, -1) }));
    const cut = await ask(model, { n: 2, stream: true });
    expect(cut.complete && chatClient.readStream(cut.text).ended).toBe(false);
  });

  test('R19 more answers than the vendor gives are refused', async () => {
    const refused = await ask(model, { n: 9 });
    expect([refused.status, refused.error['param']]).toEqual([400, 'n']);
    expect(await relay.chargeOf(refused.requestId)).toBeNull();
  });
});

test.each([{ n: 2 }, { logprobs: true }, { logprobs: true, top_logprobs: 3 }])(
  'R19 a channel that cannot give %j says so instead of leaving it out',
  async (members) => {
    const refused = await ask('claude', members);
    expect([refused.status, refused.error['param']]).toEqual([400, Object.keys(members)[0]]);
    expect(refused.error['message']).toMatch(/^this channel returns /);
    expect(await relay.chargeOf(refused.requestId)).toBeNull();
    expect((await ask('claude', { n: 1, logprobs: false })).status).toBe(200);
  },
);
