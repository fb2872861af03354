import { Counter } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '../../test/app/app.ts';
import { createMetrics } from './metrics.ts';

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

test('the metrics have the version, the answers by route and status, and the process', async () => {
  await app.visitor().call('GET', '/api/user/self');
  await app.visitor().call('GET', '/api/token/12345');
  await app.visitor().call('GET', '/api/no/such/call');
  const { status, headers, text } = await app.visitor().call('GET', '/metrics');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(text).toContain('weir_build_info{version="v0.0.0-test"} 1');
  const count = 'weir_management_request_duration_seconds_count';
  expect(text).toContain(`${count}{method="GET",route="/api/user/self",status="401"} 1`);
  expect(text).toContain(`${count}{method="GET",route="/api/token/:id",status="401"} 1`);
  expect(text).toMatch(/^process_cpu_seconds_total \d/m);
  expect(text).not.toContain('/12345');
  expect(text).not.toContain('no/such');
});

test('every part of the gateway can add its own figures', async () => {
  const registry = createMetrics('v1');
  new Counter({ name: 'weir_own_total', help: 'Own.', registers: [registry] }).inc();
  expect(await registry.metrics()).toContain('weir_own_total 1');
});
