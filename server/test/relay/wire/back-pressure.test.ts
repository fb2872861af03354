import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, testPrice, until, untilQuiet, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser();
});
afterAll(() => relay.close());

const mebibyte = 1024 * 1024;
const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
const chunk = (members: object): string => `data: ${JSON.stringify({ id: 'c', choices: [], ...members })}\n\n`;
/** Padding that is no output, so that nothing but its size matters. */
const large = chunk({ choices: [{ index: 0, delta: {} }], padding: 'x'.repeat(64 * 1024) });
const events = [
  ...Array.from({ length: 4000 }, () => large),
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  chunk({ usage }),
  'data: [DONE]\n\n',
];
const total = events.reduce((sum, event) => sum + event.length, 0);

const entryOf = (nonce: string) => relay.upstream.journal().find(({ request }) => request?.nonce === nonce);

/** Waits until the upstream cannot send on; resolves to the bytes that it sent. */
const untilHeldBack = async (nonce: string): Promise<number> => {
  let sent = -1;
  await untilQuiet(() => {
    const { heldBack = false, bytesSent = 0 } = entryOf(nonce) ?? {};
    const isStill = heldBack && bytesSent === sent;
    sent = bytesSent;
    return isStill;
  });
  return sent;
};

/** Buffers of the kernel on both connections may take up to 36 each; the gateway adds a quarter of one. */
const heldBackMax = 80 * mebibyte;

test('RELAY-01 a slow reader slows the upstream down, and gets the whole answer', async () => {
  relay.upstream.behave(() => ({ events }));
  const call = relay.start({ key: user.key, body: { stream: true } });
  const response = await call.response;
  response.pause();
  const before = process.memoryUsage().rss;
  const sent = await untilHeldBack(call.nonce);
  expect(total).toBeGreaterThan(3 * heldBackMax);
  expect(sent).toBeLessThan(heldBackMax);
  expect(process.memoryUsage().rss - before).toBeLessThan(heldBackMax);
  response.resume();
  const answer = await call.answer;
  expect(answer.complete).toBe(true);
  expect(answer.body.length).toBe(total - chunk({ usage }).length);
  expect(await relay.chargeOf(answer.requestId)).toEqual({
    amount: testPrice({ prompt: 5, completion: 7 }),
    estimated: 0,
  });
});

test('RELAY-10 a slow reader that hangs up ends the upstream that waits for it', async () => {
  relay.upstream.behave(() => ({ events }));
  const call = relay.start({ key: user.key, body: { stream: true } });
  (await call.response).pause();
  await untilHeldBack(call.nonce);
  expect(relay.upstream.running()).toBe(1);
  call.request.destroy();
  await call.answer;
  await until(() => relay.upstream.running() === 0);
  expect(entryOf(call.nonce)?.completed).toBe(false);
  await relay.settled();
});

test('RELAY-10 fifty clients that hang up at once leave nothing running', async () => {
  relay.upstream.behave(() => ({ words: 3000, eventDelayMs: 3 }));
  const calls = Array.from({ length: 50 }, () => relay.start({ key: user.key, body: { stream: true } }));
  await Promise.all(calls.map(async (call) => once(await call.response, 'data')));
  expect(relay.upstream.running()).toBe(50);
  for (const { request } of calls) request.destroy();
  await Promise.all(calls.map(({ answer }) => answer));
  await until(() => relay.upstream.running() === 0);
  await relay.settled();
  const { held } = await relay.userBalance(user.userId);
  expect(held).toBe(0);
});

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  expect(await relay.disagreements()).toEqual([]);
});
