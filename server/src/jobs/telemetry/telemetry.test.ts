import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp, testModel, testPrice } from '../../../test/app/relay-app.ts';
import { type OtlpCollector, startOtlpCollector } from '../../../test/fakes/services/otlp-collector.ts';

let collector: OtlpCollector;
let relay: RelayApp;
beforeEach(async () => {
  collector = await startOtlpCollector();
  relay = await buildRelayApp({ telemetryUrl: collector.url, telemetryFormat: 'http/json' });
});
afterEach(() => collector.close());

const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const traced = (flags: string) => ({ traceparent: `00-${traceId}-${parentId}-${flags}` });

test('O4 a call is a span below that of its caller, with one for each attempt below it, in the terms of the conventions', async () => {
  const broken = await relay.addUpstream();
  broken.behave(() => ({ status: 500, body: '{}' }));
  const first = await relay.addChannel({ base_url: broken.url, key: broken.key, priority: 9, name: 'first' });
  const second = await relay.addChannel({ name: 'second' });
  await relay.setOption('RetryTimes', '1');
  const user = await relay.addUser();
  relay.upstream.behave(() => ({ words: 3, usage }));
  const answer = await relay.ask({ key: user.key, headers: traced('01') });
  expect(answer.status).toBe(200);
  const streamed = await relay.ask({ key: user.key, body: { stream: true } });
  expect(streamed.status).toBe(200);
  await relay.settled();
  await relay.close();

  const of = (id: string) => collector.spans.filter(({ traceId: trace }) => trace === id);
  const [server, ...attempts] = of(traceId).toSorted((one, other) => one.kind - other.kind);
  expect(server).toMatchObject({
    name: 'POST chat',
    kind: 2,
    parentSpanId: parentId,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'url.path': '/v1/chat/completions',
      'weir.request_id': answer.requestId,
      'gen_ai.request.model': testModel,
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 3,
      'weir.user_id': user.userId,
      'weir.channel_id': second,
      'weir.quota': testPrice({ prompt: 7, completion: 3 }),
    },
  });
  expect(
    attempts.map(({ name, kind, parentSpanId, attributes, status }) => [
      name,
      kind,
      parentSpanId,
      attributes,
      status.code,
    ]),
  ).toEqual([
    [
      `chat ${testModel}`,
      3,
      server?.spanId,
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': testModel,
        'error.type': 'server',
        'weir.channel_id': first,
        'weir.channel_name': 'first',
      },
      2,
    ],
    [
      `chat ${testModel}`,
      3,
      server?.spanId,
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': testModel,
        'weir.channel_id': second,
        'weir.channel_name': 'second',
      },
      0,
    ],
  ]);
  for (const span of collector.spans) expect(span.endTimeUnixNano).toBeGreaterThanOrEqual(span.startTimeUnixNano);
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'weir', 'service.instance.id': 'main' });

  const labels = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': testModel,
  };
  expect(collector.points.get('gen_ai.client.token.usage')).toMatchObject([
    { attributes: { ...labels, 'gen_ai.token.type': 'input' }, count: 2, sum: 14 },
    { attributes: { ...labels, 'gen_ai.token.type': 'output' }, count: 2, sum: 6 },
  ]);
  const durations = collector.points.get('gen_ai.client.operation.duration') ?? [];
  expect(durations.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(3);
  expect(collector.points.get('gen_ai.server.time_to_first_token')).toMatchObject([{ attributes: labels, count: 1 }]);
});

test('O4 a refused call is a span with its rule, and a call whose caller keeps no trace is none', async () => {
  await relay.addChannel();
  const user = await relay.addUser();
  expect((await relay.ask({ key: user.key, headers: traced('00') })).status).toBe(200);
  expect((await relay.ask({ key: 'sk-none', headers: { traceparent: 'nonsense' } })).status).toBe(401);
  await relay.settled();
  await relay.close();
  expect(collector.spans).toHaveLength(1);
  expect(collector.spans[0]).toMatchObject({
    parentSpanId: '',
    attributes: { 'http.response.status_code': 401, 'error.type': 'token_invalid' },
  });
  const text = JSON.stringify(collector.spans);
  expect(text).not.toContain('sk-none');
  expect(text).not.toContain('Tell me about');
});

test('O4 a stream that its client leaves is a span with what was charged', async () => {
  await relay.addChannel();
  const user = await relay.addUser();
  relay.upstream.behave(() => ({ words: 200, eventDelayMs: 5, usage: null }));
  await relay.ask({ key: user.key, body: { stream: true }, cutAfterBytes: 2000 });
  await relay.settled();
  await relay.close();
  const server = collector.spans.find(({ kind }) => kind === 2);
  expect(server?.attributes['weir.quota']).toBeGreaterThan(0);
  expect(collector.spans.filter(({ kind }) => kind === 3)).toHaveLength(1);
});

test('O4 without a collector that answers, calls go on and the process ends', async () => {
  await relay.close();
  await collector.close();
  const away = await buildRelayApp({ telemetryUrl: collector.url });
  await away.addChannel();
  const user = await away.addUser();
  expect((await away.ask({ key: user.key })).status).toBe(200);
  await away.settled();
  const started = performance.now();
  await away.close();
  expect(performance.now() - started).toBeLessThan(20_000);
  collector = await startOtlpCollector();
});

test('O4 protobuf is the format unless JSON is chosen', async () => {
  await relay.close();
  const plain = await buildRelayApp({ telemetryUrl: collector.url });
  await plain.addChannel();
  const user = await plain.addUser();
  await plain.ask({ key: user.key });
  await plain.settled();
  await plain.close();
  const sent = collector.requests.filter((each) => each.endsWith('application/x-protobuf'));
  expect(new Set(sent)).toEqual(new Set(['/v1/traces application/x-protobuf', '/v1/metrics application/x-protobuf']));
});
