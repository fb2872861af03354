import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBudget } from '@weir/contract/limits/budgets';
import { createRateLimit } from '@weir/contract/limits/rate-limits';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { signInTo, type ManagementClient } from '../clients/management-client.ts';
import { promptTokens } from '../oracles/count-tokens.ts';
import { isJson, parseObject } from '../parsing/json.ts';
import { until } from '../app/relay-app.ts';
import { compete } from './compete.ts';
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

/** What a call of `reachedBy` holds. */
const held = promptTokens([{ role: 'user', content: 'x' }]) + 1;

interface Refusals {
  /** Besides the key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: string;
}

/** Sends 1,000 parallel calls over all nodes, whose answers begin once 990 are refused. Resolves to how many reached the upstream. */
const reachedBy = async (key: string, { headers = {}, code }: Refusals): Promise<number> => {
  const send = async (url: string): Promise<{ readonly status: number; readonly code: unknown }> => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, max_tokens: 1, messages: [{ role: 'user', content: 'x' }] }),
    });
    const { error } = parseObject(await response.text());
    return { status: response.status, code: isJson(error) ? error['code'] : '' };
  };
  const { answers, reached } = await compete({
    upstream,
    parallel: 1000,
    covered: 10,
    behaviour: { words: 1, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
    ask: (index) => send(nodes.url(index)),
  });
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const refusals = answers.filter(({ status }) => status === 403);
  expect(refusals).toHaveLength(990);
  expect(new Set(refusals.map((answer) => answer.code))).toEqual(new Set([code]));
  return reached;
};

describe('of 1,000 parallel calls over four nodes ten reach the upstream', () => {
  beforeAll(async () => {
    for (const { id: rule } of await root.call<{ id: number }[]>('GET', createRateLimit.path))
      await root.call('DELETE', `${createRateLimit.path}${rule}`);
    await root.call('PUT', '/api/option/', { key: 'CompletionRatio', value: `{"${model}":1}` });
  });

  test('on a budget for ten', async () => {
    const { id, key } = await root.call<{ id: number; key: string }>('POST', '/api/token/', {
      name: 'bounded',
      unlimited_quota: true,
    });
    const budget = { scope: 'token', subject_id: id, period: 'month', zone: 'UTC', amount: 10 * held };
    await root.call('POST', createBudget.path, budget);
    expect(await reachedBy(key, { code: 'budget_used_up' })).toBe(10);
  }, 300_000);

  test('in a run with a budget for ten, which they begin', async () => {
    const headers = { 'x-run-id': 'over-nodes', 'x-run-budget': String(10 * held) };
    expect(await reachedBy(await newKey('agent'), { headers, code: 'run_budget_used_up' })).toBe(10);
  }, 300_000);
});
