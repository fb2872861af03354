import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliveredIn } from '../clients/client-entry.ts';
import { promptTokens, textTokens } from '../oracles/count-tokens.ts';
import { madeText } from '../fakes/fake-upstream.ts';
import { parseObject } from '../parsing/json.ts';
import { buildRelayApp, testPrice, until, type RelayApp } from '../app/relay-app.ts';
import type { RelayUser } from '../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser();
});
afterAll(() => relay.close());

const messages = [{ role: 'user', content: 'What does a weir do?' }];
const prompt = promptTokens(messages);

const entryOf = (nonce: string) => relay.upstream.journal().find(({ request }) => request?.nonce === nonce);

describe('a client that hangs up', () => {
  test('RELAY-10 RELAY-07 within a stream, at many offsets, ends it upstream and pays for what it got, at most for what was sent', async () => {
    const size = (await relay.ask({ key: user.key, body: { messages, stream: true } })).body.length;
    relay.upstream.behave(() => ({ words: 60, eventDelayMs: 5 }));
    const offsets = Array.from({ length: 60 }, (_, index) => 1 + Math.floor((index * size) / 20));
    const cut = (cutAfterBytes: number) =>
      relay.ask({ key: user.key, body: { messages, stream: true }, cutAfterBytes });
    const answers = await Promise.all(offsets.map(cut));
    await relay.settled();
    let interrupted = 0;
    for (const answer of answers) {
      const sent = entryOf(answer.nonce);
      const charge = await relay.chargeOf(answer.requestId);
      const seen = textTokens(deliveredIn(answer.text));
      const full = testPrice({ prompt: 6, completion: 60 });
      if (sent?.completed === true && charge?.estimated === 0) {
        expect(charge.amount).toBe(full);
        continue;
      }
      interrupted += 1;
      expect(charge?.estimated ?? 1).toBe(1);
      expect(charge?.amount ?? 0).toBeGreaterThanOrEqual(seen === 0 ? 0 : testPrice({ prompt, completion: seen }));
      const most = textTokens(madeText(Math.min(60, sent?.eventsSent ?? 0)));
      expect(charge?.amount ?? 0).toBeLessThanOrEqual(testPrice({ prompt, completion: most }));
    }
    expect(interrupted).toBeGreaterThan(offsets.length / 3);
  });

  test('RELAY-10 before its answer begins ends the call upstream and pays nothing', async () => {
    for (const stream of [false, true]) {
      relay.upstream.behave(() => ({ until: new Promise(() => undefined) }));
      const before = await relay.userBalance(user.userId);
      const call = relay.start({ key: user.key, body: { messages, stream } });
      await until(() => relay.upstream.running() === 1);
      call.request.destroy();
      await call.answer;
      await until(() => relay.upstream.running() === 0);
      await relay.settled();
      expect(await relay.userBalance(user.userId)).toEqual(before);
      expect(await relay.app.db.read.selectFrom('holds').selectAll().execute()).toEqual([]);
    }
  });

  test('RELAY-10 in the middle of a body that it still sends leaves nothing behind', async () => {
    const before = relay.upstream.journal().length;
    const headers = { 'transfer-encoding': 'chunked' };
    const call = relay.start({ key: user.key, headers, body: Buffer.alloc(1_000_000, 0x20) });
    call.request.destroy();
    await call.answer;
    expect(relay.upstream.journal()).toHaveLength(before);
  });

  test('RELAY-07 while a whole answer is sent to it has paid for it', async () => {
    const usage = { prompt_tokens: 30, completion_tokens: 70, total_tokens: 100 };
    const content = 'x'.repeat(8_000_000);
    const body = JSON.stringify({ choices: [{ index: 0, message: { content }, finish_reason: 'stop' }], usage });
    relay.upstream.behave(() => ({ body }));
    const answer = await relay.ask({ key: user.key, cutAfterBytes: 1 });
    expect(answer.complete).toBe(false);
    await relay.settled();
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: 170, estimated: 0 });
  });

  test('RELAY-07 right behind the last word, before the usage came, pays for all words', async () => {
    relay.upstream.behave(() => ({ words: 12, pause: { afterEvents: 13, until: new Promise(() => undefined) } }));
    const call = relay.start({ key: user.key, body: { messages, stream: true } });
    await until(() => call.received() >= (entryOf(call.nonce)?.bytesSent ?? Infinity) && call.received() > 3000);
    call.request.destroy();
    const answer = await call.answer;
    await relay.settled();
    expect(deliveredIn(answer.text)).toMatch(/^river .* spring$/u);
    const completion = textTokens(deliveredIn(answer.text));
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: testPrice({ prompt, completion }), estimated: 1 });
    const log = await relay.logOf(answer.requestId);
    expect(parseObject(String(log?.['detail']))).toMatchObject({ cut: 'client_gone', estimated: true });
  });
});

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  expect(await relay.disagreements()).toEqual([]);
});
