import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { buildRelayApp } from '../../test/app/relay-app.ts';
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
