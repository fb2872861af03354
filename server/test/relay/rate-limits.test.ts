import { createRateLimit, rateLimitSchema } from '@weir/contract/limits/rate-limits';
import type { BodyOf } from '@weir/contract/endpoint';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, type NamedAnswer, type RelayApp, testModel } from '../app/relay-app.ts';
import { promptTokens } from '../oracles/count-tokens.ts';

let relay: RelayApp;
let channel: number;
beforeAll(async () => {
  relay = await buildRelayApp();
  channel = await relay.addChannel();
});
afterAll(() => relay.close());

type Rule = Partial<BodyOf<typeof createRateLimit>> &
  Pick<BodyOf<typeof createRateLimit>, 'scope' | 'metric' | 'amount'>;

const ruleIds: number[] = [];
const addRule = async (rule: Rule): Promise<number> => {
  // Little of an hour's amount comes back while a slow machine runs a test.
  const period = rule.metric === 'concurrent' ? '' : 'hour';
  const made = v.parse(rateLimitSchema, await relay.root.data('POST', createRateLimit.path, { period, ...rule }));
  ruleIds.push(made.id);
  return made.id;
};
afterEach(async () => {
  for (const id of ruleIds.splice(0)) await relay.root.data('DELETE', `/api/rate-limit/${id}`);
  relay.upstream.behave(() => ({ words: 2 }));
});

const statuses = (answers: readonly NamedAnswer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('limits of requests', () => {
  test('of 1,000 parallel calls at a limit of ten, ten reach the upstream; the rest are refused with the time to wait', async () => {
    relay.upstream.behave(() => ({ words: 2 }));
    const user = await relay.addUser({ quota: 10_000_000 });
    const rule = await addRule({ scope: 'token', metric: 'requests', amount: 10 });
    const before = relay.upstream.journal().length;
    const answers = await Promise.all(Array.from({ length: 1000 }, () => relay.ask({ key: user.key })));
    expect(statuses(answers)).toEqual({ 200: 10, 429: 990 });
    expect(relay.upstream.journal().length - before).toBe(10);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.error).toMatchObject({ code: 'rate_limit_requests' });
    expect(String(refused?.error['message'])).toContain(
      `rate limit ${rule} is reached: 10 requests in 3600 s, try again`,
    );
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(180);
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(360);

    // One more is free every six minutes.
    relay.app.clock.advance(360_000);
    const later = await Promise.all([1, 2].map(() => relay.ask({ key: user.key })));
    expect(statuses(later)).toEqual({ 200: 1, 429: 1 });
    expect(await relay.disagreements()).toEqual([]);
  });

  test('a rule of a subject replaces the one for all; rules of models count each model, and groups all of their users', async () => {
    const [one, other] = [await relay.addUser({ quota: 1_000_000 }), await relay.addUser({ quota: 1_000_000 })];
    const ask = async (key: string, times: number) => {
      const answers = [];
      for (let index = 0; index < times; index += 1) answers.push(await relay.ask({ key }));
      return answers.filter(({ status }) => status === 200).length;
    };
    await addRule({ scope: 'user', metric: 'requests', amount: 2 });
    await addRule({ scope: 'user', subject: String(other.userId), metric: 'requests', amount: 3 });
    expect([await ask(one.key, 5), await ask(other.key, 5)]).toEqual([2, 3]);
    const third = await relay.addUser({ quota: 1_000_000 });
    await addRule({
      scope: 'user_model',
      subject: String(third.userId),
      model: testModel,
      metric: 'requests',
      amount: 1,
    });
    expect(await ask(third.key, 3)).toBe(1);
    const [fourth, fifth] = [await relay.addUser({ quota: 1_000_000 }), await relay.addUser({ quota: 1_000_000 })];
    await addRule({ scope: 'group', subject: 'default', metric: 'requests', amount: 3 });
    expect((await ask(fourth.key, 2)) + (await ask(fifth.key, 2))).toBe(3);
  });
});

test('tokens are reserved at admission, and what was charged is what counts', async () => {
  const messages = [{ role: 'user', content: 'hi' }];
  const prompt = promptTokens(messages);
  const usage = { prompt_tokens: prompt, completion_tokens: 10, total_tokens: prompt + 10 };
  const user = await relay.addUser({ quota: 10_000_000 });
  await addRule({ scope: 'token', subject: String(user.tokenId), metric: 'tokens', amount: 1000 });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ words: 1, usage, until: gate }));
  const body = { messages, max_tokens: 600 };
  const first = relay.start({ key: user.key, body }).answer;
  await expect.poll(() => relay.upstream.running()).toBe(1);
  // 600 of 1,000 are reserved.
  const refused = await relay.ask({ key: user.key, body });
  expect([refused.status, refused.error['code']]).toEqual([429, 'rate_limit_tokens']);
  open();
  expect((await first).status).toBe(200);
  const second = await relay.ask({ key: user.key, body });
  expect(second.status).toBe(200);
  const left = 1000 - (prompt + 10);
  expect(second.headers['x-ratelimit-limit-tokens']).toBe('1000');
  // The headers are those of the admission, with the reservation of this call.
  expect(Number(second.headers['x-ratelimit-remaining-tokens'])).toBeLessThanOrEqual(left - 600);
  expect(Number(second.headers['x-ratelimit-remaining-tokens'])).toBeGreaterThan(left - 700);
  // A call that fails gives everything back.
  relay.upstream.behave(() => ({ status: 400 }));
  for (let index = 0; index < 5; index += 1) expect((await relay.ask({ key: user.key, body })).status).toBe(400);
});

test('calls at the same time are released however they end', async () => {
  const user = await relay.addUser({ quota: 10_000_000 });
  await addRule({ scope: 'token', metric: 'concurrent', amount: 2 });
  for (const end of ['answered', 'cut', 'failed'] as const) {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    relay.upstream.behave(() => ({ words: 20, until: gate, ...(end === 'failed' && { status: 500 }) }));
    const calls = [0, 1].map(() => relay.start({ key: user.key, body: { stream: true } }));
    await expect.poll(() => relay.upstream.running()).toBe(2);
    const third = await relay.ask({ key: user.key });
    expect([third.status, third.error['code'], third.headers['retry-after']]).toEqual([
      429,
      'rate_limit_concurrent',
      '1',
    ]);
    if (end === 'cut') for (const call of calls) call.request.destroy();
    open();
    await Promise.allSettled(calls.map(({ answer }) => answer));
    await relay.settled();
    relay.upstream.behave(() => ({ words: 1 }));
    await expect.poll(async () => (await relay.ask({ key: user.key })).status).toBe(200);
  }
  expect(await relay.disagreements()).toEqual([]);
});

test('a channel at its limit is passed over; with no other left the call is refused', async () => {
  const spare = await relay.addUpstream();
  const user = await relay.addUser({ quota: 10_000_000 });
  await relay.changeChannel(channel, { priority: 9 });
  const backup = await relay.addChannel({ base_url: spare.url, key: spare.key, priority: 1 });
  await addRule({ scope: 'channel', subject: String(channel), metric: 'requests', amount: 2 });
  await addRule({ scope: 'channel_key', subject: String(backup), metric: 'requests', amount: 1 });
  const served: number[] = [];
  for (let index = 0; index < 4; index += 1) {
    const answer = await relay.ask({ key: user.key });
    const log = answer.status === 200 ? await relay.logOf(answer.requestId) : null;
    served.push(log === null ? answer.status : Number(log['channel_id']));
    if (log === null) expect(answer.error['code']).toBe('rate_limit_channels');
  }
  expect(served).toEqual([channel, channel, backup, 429]);
  await relay.changeChannel(backup, { status: 2 });
});

test('clients of each vendor get their headers, in place of those of the upstream', async () => {
  const user = await relay.addUser({ quota: 10_000_000 });
  await addRule({ scope: 'user', metric: 'requests', amount: 60 });
  relay.upstream.behave(() => ({
    words: 1,
    headers: { 'x-ratelimit-limit-requests': '7', 'x-ratelimit-limit-tokens': '8' },
  }));
  const plain = await relay.ask({ key: user.key });
  expect(plain.headers).toMatchObject({
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '59',
    'x-ratelimit-limit-tokens': '8',
  });
  expect(plain.headers['x-ratelimit-reset-requests']).toMatch(/^(?:1m0s|5\d(?:\.\d)?s)$/);
  const response = await fetch(`${relay.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': user.key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: testModel, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('anthropic-ratelimit-requests-limit')).toBe('60');
  expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('58');
  expect(response.headers.get('anthropic-ratelimit-requests-reset')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  await response.text();
});
