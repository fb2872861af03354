import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildRelayApp, until, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';
import type { FakeUpstream } from '../../fakes/fake-upstream.ts';
import { promptTokens } from '../../oracles/count-tokens.ts';

/** A token costs one unit with the first channel, and so many with the second. */
const dearness = 10;
const messages = [{ role: 'user', content: 'Count the drops.' }];
const prompt = promptTokens(messages);
const limit = 40;

let relay: RelayApp;
let second: FakeUpstream;
let model = '';
let count = 0;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.setOption('RetryTimes', '1');
  second = await relay.addUpstream();
});
/** Channels of a model of this test's own: one that failed often is not tried first any more. */
beforeEach(async () => {
  count += 1;
  model = `cheap-${count}`;
  const dear = `dear-${count}`;
  await relay.setOption('ModelRatio', JSON.stringify({ [model]: 1, [dear]: dearness }));
  await relay.setOption('CompletionRatio', JSON.stringify({ [model]: 1, [dear]: 1 }));
  await relay.addChannel({ models: model, priority: 1 });
  const model_mapping = JSON.stringify({ [model]: dear });
  await relay.addChannel({ base_url: second.url, key: second.key, models: model, model_mapping });
  relay.upstream.behave(() => ({ status: 500, body: '{"error":{"message":"the first fails"}}' }));
});
afterAll(() => relay.close());

const bodyOf = () => ({ model, messages, max_tokens: limit, stream: true });
const sentTo = (upstream: FakeUpstream) => upstream.journal().length;

/** Asks, and reads the balance while the second channel works at it. */
const askAside = async ({ key, userId }: RelayUser) => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const usage = { prompt_tokens: prompt, completion_tokens: 2, total_tokens: prompt + 2 };
  second.behave(() => ({ words: 2, usage, until: gate }));
  const call = relay.start({ key, body: bodyOf() });
  let ended = false;
  void call.answer.then(() => (ended = true));
  await until(() => ended || second.running() === 1);
  const during = await relay.userBalance(userId);
  open();
  const answer = await call.answer;
  await relay.settled();
  return { answer, during, limitSent: second.journal().at(-1)?.request?.maxTokens };
};

describe('M16 a call that goes on to a dearer channel', () => {
  test('holds there what it can cost there, to the last unit that the account has', async () => {
    const quota = dearness * (prompt + limit);
    const user = await relay.addUser({ quota });
    const { answer, during, limitSent } = await askAside(user);
    expect(answer.status, answer.text).toBe(200);
    expect(during).toEqual({ available: 0, held: quota, used: 0 });
    expect(limitSent).toBe(limit);
    expect(answer.headers['x-weir-output-cap']).toBeUndefined();
    const used = dearness * (prompt + 2);
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: used, estimated: 0 });
    expect(await relay.userBalance(user.userId)).toEqual({ available: quota - used, held: 0, used });
  });

  test('holds what it needs there and no more', async () => {
    const quota = 1_000_000;
    const user = await relay.addUser({ quota });
    const { during } = await askAside(user);
    expect(during.available + during.held).toBe(quota);
    expect(during.held).toBeGreaterThanOrEqual(dearness * (prompt + limit));
    expect(during.held).toBeLessThan(2 * dearness * (prompt + limit));
  });

  for (const payer of ['account', 'token'] as const) {
    test(`is limited to the output that the ${payer} covers there`, async () => {
      const covered = 25;
      const quota = dearness * (prompt + covered) + dearness - 1;
      const user = await relay.addUser(payer === 'account' ? { quota } : { quota: 1_000_000, allocation: quota });
      const { answer, during, limitSent } = await askAside(user);
      expect(answer.status, answer.text).toBe(200);
      expect(during.held).toBe(dearness * (prompt + covered));
      expect(limitSent).toBe(covered);
      expect(answer.headers['x-weir-output-cap']).toBe(String(covered));
    });

    test(`does not reach it where the ${payer} does not cover one token there, and costs nothing`, async () => {
      const quota = dearness * (prompt + 1) - 1;
      const user = await relay.addUser(payer === 'account' ? { quota } : { quota: 1_000_000, allocation: quota });
      const before = sentTo(second);
      const answer = await relay.ask({ key: user.key, body: bodyOf() });
      expect(answer.status).toBe(502);
      expect(answer.error['message']).toContain('the first fails');
      expect(sentTo(second)).toBe(before);
      await relay.settled();
      expect((await relay.userBalance(user.userId)).used).toBe(0);
      expect(await relay.chargeOf(answer.requestId)).toBeNull();
    });
  }
});

test('M16 pictures that the model of the next channel refuses are not asked for there, and cost nothing', async () => {
  const before = sentTo(second);
  const path = '/v1/images/generations';
  const models = 'dall-e-2';
  await relay.addChannel({ models, priority: 1 });
  const model_mapping = JSON.stringify({ 'dall-e-2': 'dall-e-3' });
  await relay.addChannel({ base_url: second.url, key: second.key, models, model_mapping });
  const user = await relay.addUser();
  const drawing = JSON.stringify({ model: models, prompt: 'a weir', size: '256x256' });
  const answer = await relay.ask({ key: user.key, path, body: drawing });
  expect(answer.status).toBe(404);
  expect(sentTo(second)).toBe(before);
  await relay.settled();
  expect((await relay.userBalance(user.userId)).used).toBe(0);
});

for (const least of ['token', 'account'] as const) {
  test(`M16 a refusal names the ${least} where it has less than the other, and both have too little`, async () => {
    const user = await relay.addUser(least === 'token' ? { quota: 7, allocation: 5 } : { quota: 5, allocation: 7 });
    const answer = await relay.ask({ key: user.key, body: bodyOf() });
    expect(answer.error['code']).toBe(least === 'token' ? 'pre_consume_token_quota_failed' : 'insufficient_user_quota');
    expect(answer.error['message']).toMatch(new RegExp(`: ${prompt + 1} needed, 5 available`));
  });
}

test('M16 where the balance covers 20 holds by the estimated prompt it is held, where it covers fewer the counted one', async () => {
  /** The hold of a stream while it is answered. */
  const heldOf = async (quota: number) => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const user = await relay.addUser({ quota });
    relay.upstream.behave(() => ({ words: 1, until: gate }));
    const { answer } = relay.start({ key: user.key, body: bodyOf() });
    await until(() => relay.upstream.running() === 1);
    await until(async () => (await relay.userBalance(user.userId)).held > 0);
    const { held } = await relay.userBalance(user.userId);
    open();
    expect((await answer).status).toBe(200);
    return held;
  };
  const estimated = await heldOf(1_000_000);
  const counted = prompt + limit;
  expect(estimated).toBeGreaterThan(counted);
  expect(await heldOf(20 * estimated)).toBe(estimated);
  expect(await heldOf(20 * estimated - 1)).toBe(counted);
});
