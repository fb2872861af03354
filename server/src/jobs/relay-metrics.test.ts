import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { buildRelayApp, testModel } from '../../test/app/relay-app.ts';
import { createRelayMetrics } from './relay-metrics.ts';

test('the metrics count answers, charges, waits and failures of the relay, without names of users', async () => {
  const relay = await buildRelayApp();
  const id = await relay.addChannel();
  const user = await relay.addUser();
  const ask = (stream: boolean) => relay.ask({ key: user.key, body: { stream } });
  await ask(false);
  await ask(true);
  relay.upstream.behave(() => ({ status: 500, body: '{}' }));
  await ask(false);
  await relay.ask({ key: 'sk-unknown' });
  await relay.settled();
  const { text } = await relay.app.visitor().call('GET', '/metrics');
  const { used } = await relay.userBalance(user.userId);
  expect(text).toContain('weir_relay_requests_total{status="200"} 2');
  expect(text).toContain('weir_relay_requests_total{status="502"} 1');
  expect(text).toContain('weir_relay_requests_total{status="401"} 1');
  expect(text).toContain(`weir_relay_quota_total ${used}`);
  expect(text).toMatch(/^weir_relay_tokens_total\{part="prompt"\} [1-9]/m);
  expect(text).toContain('weir_relay_tokens_total{part="completion"} 24');
  expect(text).toContain('weir_relay_upstream_first_byte_seconds_count 2');
  expect(text).toContain(`weir_relay_attempt_failures_total{channel="${id}",kind="server"} 1`);
  const labels = `gen_ai_request_model="${testModel}",channel="${id}",group="default"`;
  expect(text).toContain(`weir_calls_total{${labels}} 2`);
  expect(text).toContain(`weir_calls_quota_total{${labels}} ${used}`);
  expect(text).toContain(`weir_calls_tokens_total{${labels},gen_ai_token_type="output"} 24`);
  const model = `gen_ai_request_model="${testModel}"`;
  expect(text).toContain(`gen_ai_server_request_duration_seconds_count{${model}} 2`);
  expect(text).toContain(`gen_ai_server_time_to_first_token_seconds_bucket{${model},le="+Inf"} 1`);
  expect(text).toContain('weir_relay_calls_in_flight 0');
  expect(text).toContain(`weir_channel_keys{channel="${id}",state="in_use"} 1`);
  expect(text).toContain('weir_database_writes_waiting 0');
  expect(text).toMatch(/^weir_posting_duration_seconds_count [1-9]/m);
  if (process.platform === 'linux') expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
  expect(text).not.toContain(user.key.slice(3));
  await relay.close();
});

test('however many channels there are, their figures stay few', async () => {
  const registry = new Registry();
  const metrics = createRelayMetrics(registry);
  for (let id = 1; id <= 2000; id += 1) metrics.failed(id, 'timeout');
  metrics.failed(1, 'timeout');
  const text = await registry.metrics();
  expect(text.split('\n').filter((line) => line.startsWith('weir_relay_attempt_failures_total'))).toHaveLength(501);
  expect(text).toContain('{channel="1",kind="timeout"} 2');
  expect(text).toContain('{channel="other",kind="timeout"} 1500');
});

test('O4 however many models, channels and groups there are, their figures stay few and their sums complete', async () => {
  const registry = new Registry();
  const metrics = createRelayMetrics(registry);
  const charge = {
    requestId: '',
    userId: 1,
    prompt: 2,
    completion: 3,
    quota: 5,
    ms: 20,
    firstMs: 100_000,
    result: null,
  };
  for (let count = 0; count < 3000; count += 1)
    metrics.charged({ ...charge, model: `model ${count % 1500}`, group: 'default', channelId: count % 3 });
  const text = await registry.metrics();
  const valuesOf = (name: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .map((line) => Number(line.split(' ').at(-1)));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  expect(valuesOf('weir_calls_total')).toHaveLength(1001);
  expect(sum(valuesOf('weir_calls_total'))).toBe(3000);
  expect(sum(valuesOf('weir_calls_tokens_total'))).toBe(15_000);
  expect(valuesOf('gen_ai_server_request_duration_seconds_count')).toHaveLength(101);
  expect(sum(valuesOf('gen_ai_server_request_duration_seconds_count'))).toBe(3000);
  expect(text).toContain('_duration_seconds_bucket{gen_ai_request_model="other",le="0.02"} 2800');
  expect(text).toContain('_first_token_seconds_bucket{gen_ai_request_model="other",le="60"} 0');
});
