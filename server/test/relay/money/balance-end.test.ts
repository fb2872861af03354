import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { madeText } from '../../fakes/fake-upstream.ts';
import { promptTokens, textTokens } from '../../oracles/count-tokens.ts';
import { parseObject } from '../../parsing/json.ts';
import { buildRelayApp, testPrice, until, type RelayApp } from '../../app/relay-app.ts';

let relay: RelayApp;
/** Streams that the gateway ended correctly: the upstream did not finish them. */
const ended = new Set<string>();

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
});
afterAll(() => relay.close());

const messages = [{ role: 'user', content: 'Count the drops.' }];
const prompt = promptTokens(messages);
const eventsOf = (stream: string): readonly string[] => stream.split('\n\n').slice(0, -1);
const finishOf = (stream: string): string => /"finish_reason":"([a-z]+)"/.exec(stream)?.[1] ?? '';
const detailOf = async (requestId: string) => parseObject(String((await relay.logOf(requestId))?.['detail']));
const limitSent = (nonce: string): unknown => {
  const entry = relay.upstream.journal().find(({ request }) => request?.nonce === nonce);
  return entry?.request?.maxTokens;
};

describe('a stream that costs more than the balance', () => {
  for (const payer of ['account', 'token'] as const) {
    test(`RELAY-07 B03 ends with a length and its terminator when the ${payer} is used up, and no more is charged than was covered`, async () => {
      const quota = 3000;
      const user = await relay.addUser(payer === 'account' ? { quota } : { quota: 1_000_000, allocation: quota });
      relay.upstream.behave(() => ({ words: 100_000 }));
      const answer = await relay.ask({
        key: user.key,
        body: { messages, stream: true, stream_options: { include_usage: true } },
      });
      ended.add(answer.nonce);
      expect(answer.status).toBe(200);
      expect(answer.complete).toBe(true);
      const events = eventsOf(answer.text);
      expect(events.at(-1)).toBe('data: [DONE]');
      expect(finishOf(answer.text)).toBe('length');
      const charge = await relay.chargeOf(answer.requestId);
      const usage = parseObject(JSON.stringify(parseObject((events.at(-2) ?? '').slice('data: '.length))['usage']));
      const delivered = events.length - 4;
      expect(usage).toMatchObject({ prompt_tokens: prompt, completion_tokens: textTokens(madeText(delivered)) });
      expect(charge?.amount).toBe(testPrice({ prompt, completion: Number(usage['completion_tokens']) }));
      expect(charge?.amount).toBeLessThanOrEqual(quota);
      expect(delivered).toBeGreaterThan(quota / 2 / 4);
      const balance =
        payer === 'account' ? await relay.userBalance(user.userId) : await relay.tokenBalance(user.tokenId);
      expect(balance).toEqual({ available: quota - (charge?.amount ?? 0), held: 0, used: charge?.amount });
      expect(await detailOf(answer.requestId)).toMatchObject({ cut: 'balance', estimated: true });
      await until(() => relay.upstream.running() === 0);
      expect(relay.upstream.journal().at(-1)?.completed).toBe(false);
    });
  }

  test('RELAY-07 B03 twenty of them at once share what there is and go no further', async () => {
    const quota = 30_000;
    const user = await relay.addUser({ quota });
    relay.upstream.behave(() => ({ words: 5000, eventDelayMs: 0 }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => relay.ask({ key: user.key, body: { messages, stream: true } })),
    );
    for (const { nonce } of answers) ended.add(nonce);
    await relay.settled();
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBeGreaterThan(0);
    expect(served.every(({ complete, text }) => complete && finishOf(text) === 'length')).toBe(true);
    const charges = await Promise.all(served.map(({ requestId }) => relay.chargeOf(requestId)));
    const used = charges.reduce((sum, charge) => sum + (charge?.amount ?? 0), 0);
    expect(used).toBeLessThanOrEqual(quota);
    expect(await relay.userBalance(user.userId)).toEqual({ available: quota - used, held: 0, used });
  });

  test('RELAY-07 goes on while the balance covers more than was held at first', async () => {
    const user = await relay.addUser({ quota: 100_000 });
    relay.upstream.behave(() => ({ words: 4000 }));
    const answer = await relay.ask({ key: user.key, body: { messages, stream: true } });
    expect(answer.complete).toBe(true);
    expect(finishOf(answer.text)).toBe('stop');
    expect(await relay.chargeOf(answer.requestId)).toEqual({
      amount: testPrice({ prompt: 3, completion: 4000 }),
      estimated: 0,
    });
    expect(Number((await detailOf(answer.requestId))['held'])).toBeGreaterThanOrEqual(8003);
  });

  test('RELAY-07 with a bound of its own holds no more than that bound', async () => {
    const user = await relay.addUser({ quota: 100_000 });
    relay.upstream.behave(() => ({ words: 100_000 }));
    const answer = await relay.ask({ key: user.key, body: { messages, stream: true, max_tokens: 2000 } });
    expect(finishOf(answer.text)).toBe('length');
    expect(await relay.chargeOf(answer.requestId)).toEqual({
      amount: testPrice({ prompt: 3, completion: 2000 }),
      estimated: 0,
    });
    const { held } = await detailOf(answer.requestId);
    expect(Number(held)).toBeGreaterThanOrEqual(4003);
    expect(Number(held)).toBeLessThan(4200);
  });
});

describe('a balance that covers less than the request allows', () => {
  const cases = [
    { name: 'a plain answer', members: {}, member: 'max_tokens' },
    { name: 'a plain answer with a bound', members: { max_tokens: 4000 }, member: 'max_tokens' },
    {
      name: 'a plain answer with a newer bound',
      members: { max_completion_tokens: 4000 },

      member: 'max_completion_tokens',
    },
    { name: 'a stream', members: { stream: true }, member: 'max_tokens' },
    {
      name: 'a stream with a bound',
      members: { stream: true, max_tokens: 4000 },

      member: 'max_tokens',
    },
    { name: 'a plain answer of three choices', members: { n: 3 }, member: 'max_tokens' },
  ] as const;
  for (const { name, members, member } of cases) {
    test(`S19 S20 RELAY-01 RELAY-07 limits ${name} to what it covers, by ${member}, and tells the client`, async () => {
      const quota = 400;
      const user = await relay.addUser({ quota });
      relay.upstream.behave(() => undefined);
      const answer = await relay.ask({ key: user.key, body: { messages, ...members } });
      expect(answer.status).toBe(200);
      expect(answer.complete).toBe(true);
      const choices = 'n' in members ? members.n : 1;
      const cap = Number(limitSent(answer.nonce));
      expect(cap).toBe(Math.floor((quota - prompt) / 2 / choices));
      expect(answer.headers['x-weir-output-cap']).toBe(String(cap));
      const log = await relay.logOf(answer.requestId);
      expect(parseObject(String(log?.['detail']))).toMatchObject({ output_cap: cap });
      const charge = await relay.root.data('GET', `/api/log/${String(log?.['id'])}/charge`);
      expect(charge).toMatchObject({ output_cap: cap, explained: true });
      const sent = String(relay.upstream.journal().at(-1)?.body);
      expect(sent).toContain(`"${member}":${cap}`);
      expect(parseObject(sent)).toMatchObject({ messages, ...members, [member]: cap });
      expect((await relay.userBalance(user.userId)).held).toBe(0);
    });
  }

  test('S20 a call whose own limit is covered names no other', async () => {
    const user = await relay.addUser({ quota: 400 });
    relay.upstream.behave(() => undefined);
    const answer = await relay.ask({ key: user.key, body: { messages, max_tokens: 50 } });
    expect(limitSent(answer.nonce)).toBe(50);
    expect(answer.headers['x-weir-output-cap']).toBeUndefined();
    expect(await detailOf(answer.requestId)).not.toHaveProperty('output_cap');
  });

  test('RELAY-07 an upstream that keeps the limit is read to its end, whatever the token count of its words', async () => {
    const user = await relay.addUser({ quota: 300 });
    relay.upstream.behave(() => ({ words: 1000 }));
    const answer = await relay.ask({ key: user.key, body: { messages, stream: true } });
    const cap = Number(limitSent(answer.nonce));
    expect(answer.complete).toBe(true);
    expect(await relay.chargeOf(answer.requestId)).toEqual({
      amount: testPrice({ prompt: 3, completion: cap }),
      estimated: 0,
    });
    expect(eventsOf(answer.text)).toHaveLength(cap + 3);
  });

  test('RELAY-07 an upstream that ignores the limit is cut off', async () => {
    const user = await relay.addUser({ quota: 300 });
    const word = (content: string) =>
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content } }] })}\n\n`;
    relay.upstream.behave(() => ({ events: Array.from({ length: 20_000 }, () => word(' drop')) }));
    const answer = await relay.ask({ key: user.key, body: { messages, stream: true } });
    ended.add(answer.nonce);
    expect(answer.complete).toBe(true);
    expect(finishOf(answer.text)).toBe('length');
    expect(eventsOf(answer.text).length).toBeLessThan(1000);
    const charge = await relay.chargeOf(answer.requestId);
    expect(charge?.amount).toBeLessThanOrEqual(300);
    expect((await relay.userBalance(user.userId)).available).toBe(300 - (charge?.amount ?? 0));
  });
});

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  const faults = await relay.disagreements();
  expect(faults.filter((fault) => !ended.has(fault.split(' ')[1] ?? ''))).toEqual([]);
});

describe('a charge that is larger than the whole balance', () => {
  test('RELAY-07 L8 takes what is left, notes the rest as not recovered, and leaves no debt', async () => {
    const user = await relay.addUser({ quota: 5000, allocation: 4000 });
    const usage = { prompt_tokens: 10, completion_tokens: 50_000, total_tokens: 50_010 };
    relay.upstream.behave(() => ({ usage }));
    const answer = await relay.ask({ key: user.key, body: { messages } });
    expect(answer.status).toBe(200);
    const { amount, unrecovered } = await relay.app.db.read
      .selectFrom('ledger')
      .select(['amount', 'unrecovered'])
      .where('request_id', '=', answer.requestId)
      .executeTakeFirstOrThrow();
    expect(amount).toBe(5000);
    expect(unrecovered).toBe(testPrice({ prompt: 10, completion: 50_000 }) - 5000);
    expect(await relay.userBalance(user.userId)).toEqual({ available: 0, held: 0, used: 5000 });
    expect(await relay.tokenBalance(user.tokenId)).toEqual({ available: 0, held: 0, used: 5000 });
    // The operator reads of this call, and of no other one that was paid.
    const warnings = relay.app
      .logged()
      .split('\n')
      .filter((line) => line.includes('cost more than the balance'));
    expect(warnings.map((line) => parseObject(line))).toMatchObject([{ request_id: answer.requestId, unrecovered }]);
    expect((await relay.ask({ key: user.key, body: { messages } })).status).toBe(401);
    expect((await relay.disagreements()).filter((fault) => fault.startsWith('L8'))).toHaveLength(1);
    expect((await relay.disagreements()).filter((fault) => /^L[1234]/.test(fault))).toEqual([]);
  });
});
