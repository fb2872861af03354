import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, testModel, until, type RelayApp } from '../app/relay-app.ts';
import type { RelayUser } from '../app/relay-user.ts';
import { textTokens } from '../oracles/count-tokens.ts';

let relay: RelayApp;
let user: RelayUser;
let first: number;

/** 100 prompt tokens at 1 unit and 10 completion tokens at 2, as the upstream counted them. */
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

beforeAll(async () => {
  relay = await buildRelayApp();
  first = await relay.addChannel();
  user = await relay.addUser();
});
afterEach(async () => {
  await relay.settled();
  relay.upstream.behave(() => undefined);
});
afterAll(() => relay.close());

const chargeNow = async (): Promise<number | undefined> => {
  relay.upstream.behave(() => ({ usage }));
  const { requestId } = await relay.ask({ key: user.key });
  return (await relay.chargeOf(requestId))?.amount;
};

/** Runs requests on a changed option, and proves that changing it back brings back what was before. */
const changes = async (
  key: string,
  texts: { readonly to: string; readonly back: string },
  run: () => Promise<void>,
) => {
  await relay.setOption(key, texts.to);
  await run();
  await relay.setOption(key, texts.back);
};

test('OPT-ModelRatio prices the next request, without a restart', async () => {
  expect(await chargeNow()).toBe(120);
  await changes('ModelRatio', { to: `{"${testModel}":2.5}`, back: `{"${testModel}":1}` }, async () => {
    expect(await chargeNow()).toBe(300);
  });
  expect(await chargeNow()).toBe(120);
});

test('OPT-CompletionRatio prices what comes out against what goes in', async () => {
  await changes('CompletionRatio', { to: `{"${testModel}":7}`, back: `{"${testModel}":2}` }, async () => {
    expect(await chargeNow()).toBe(170);
  });
  expect(await chargeNow()).toBe(120);
});

test("OPT-GroupRatio multiplies everything by the account's group", async () => {
  await changes('GroupRatio', { to: '{"default":0.5}', back: '{"default":1,"svip":1,"vip":1}' }, async () => {
    expect(await chargeNow()).toBe(60);
  });
  expect(await chargeNow()).toBe(120);
});

test('OPT-RetryTimes R21 says how many other channels a failed request is tried on: two where it was never set', async () => {
  const failing = await relay.addUpstream();
  failing.behave(() => ({ status: 500, body: '{"error":{"message":"down"}}' }));
  await relay.addChannel({ key: failing.key, base_url: failing.url, priority: 10 });
  const ask = async () => (await relay.ask({ key: user.key })).status;
  expect(await ask()).toBe(200);
  await changes('RetryTimes', { to: '0', back: '2' }, async () => expect(await ask()).toBe(502));
  expect(await ask()).toBe(200);
  await relay.root.data('DELETE', `/api/channel/${first + 1}`);
});

/** Quota units held for a stream that bounds itself nowhere, while it rests in the middle. */
const heldWhileRunning = async (): Promise<number> => {
  let goOn: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (goOn = resolve));
  relay.upstream.behave(() => ({ words: 6, usage, pause: { afterEvents: 3, until: opened } }));
  const before = (await relay.userBalance(user.userId)).held;
  const call = relay.start({ key: user.key, body: { stream: true } });
  await call.response;
  await until(async () => (await relay.userBalance(user.userId)).held > before);
  const { held } = await relay.userBalance(user.userId);
  goOn();
  await call.answer;
  await relay.settled();
  return held - before;
};

test('OPT-PreConsumedQuota is held, in tokens, for a request that bounds its own length nowhere', async () => {
  const usual = await heldWhileRunning();
  await changes('PreConsumedQuota', { to: '2000', back: '500' }, async () => {
    // Without it a stream holds its first 512 tokens, at 2 units each.
    expect((await heldWhileRunning()) - usual).toBe((2000 - 512) * 2);
  });
  expect(await heldWhileRunning()).toBe(usual);
});

test('OPT-ApproximateTokenEnabled counts by length where the upstream counted nothing', async () => {
  const output = 'Wasser, Wasser, nichts als Wasser.';
  const message = { role: 'assistant', content: output };
  const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
  const completionNow = async (): Promise<unknown> => {
    relay.upstream.behave(() => ({ body }));
    const { requestId } = await relay.ask({ key: user.key });
    await relay.settled();
    return (await relay.logOf(requestId))?.['completion_tokens'];
  };
  expect(await completionNow()).toBe(textTokens(output));
  await changes('ApproximateTokenEnabled', { to: 'true', back: 'false' }, async () => {
    expect(await completionNow()).toBe(Math.trunc(Buffer.byteLength(output) * 0.38));
  });
  expect(await completionNow()).toBe(textTokens(output));
});

test('OPT-LogConsumeEnabled writes a row for each billed request, or none', async () => {
  const rowsAfter = async (): Promise<boolean> => {
    relay.upstream.behave(() => ({ usage }));
    const { requestId } = await relay.ask({ key: user.key });
    await relay.settled();
    expect((await relay.chargeOf(requestId))?.amount).toBe(120);
    return (await relay.logOf(requestId)) !== null;
  };
  expect(await rowsAfter()).toBe(true);
  await changes('LogConsumeEnabled', { to: 'false', back: 'true' }, async () => expect(await rowsAfter()).toBe(false));
  expect(await rowsAfter()).toBe(true);
});
