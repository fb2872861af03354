import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, testPrice, type RelayApp } from '../../app/relay-app.ts';
import { promptTokens } from '../../oracles/count-tokens.ts';
import { playSpendingRound } from '../../faults/spending-round.ts';

let relay: RelayApp;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
});
afterAll(() => relay.close());

/** `npm run verify:long -- spending` plays 200. */
const rounds = 2;
/** Thousands of connections take a while on a busy machine. */
const patienceMs = 300_000;

/** Every request of these tests is as long as every other. */
const bodyFor = (stream: boolean) => ({ stream, max_tokens: 40 });

describe('1,000 parallel requests on what covers ten', () => {
  for (const [payer, payerName] of [
    ['account', 'an account'],
    ['token', 'a token'],
    ['budget', 'a budget'],
  ] as const) {
    for (const stream of [false, true]) {
      const kind = stream ? 'streams' : 'plain answers';

      test(
        `RELAY-07 ${kind}, ten of them paid by ${payerName}: ten reach the upstream, the rest are refused`,
        async () => {
          for (let round = 0; round < rounds; round += 1) {
            expect(await playSpendingRound(relay, { stream, payer, parallel: 1000, covered: 10 })).toEqual([]);
          }
        },
        patienceMs,
      );
    }
  }
});

for (const payer of ['account', 'token'] as const) {
  test(
    `S18 of 1,000 parallel calls on ${payer === 'account' ? 'a balance' : 'an allocation'} for exactly ten, exactly ten are served and nothing is left`,
    async () => {
      const messages = [{ role: 'user', content: 'hi' }];
      const prompt = promptTokens(messages);
      const usage = { prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 };
      relay.upstream.behave(() => ({ words: 1, usage }));
      const quota = 10 * testPrice({ prompt, completion: 1 });
      const user = await relay.addUser(payer === 'account' ? { quota } : { quota: 1_000_000, allocation: quota });
      const calls = Array.from({ length: 1000 }, () => relay.ask({ key: user.key, body: { messages, max_tokens: 1 } }));
      const answers = await Promise.all(calls);
      await relay.settled();
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 403 || status === 401)).toHaveLength(990);
      const left = payer === 'account' ? relay.userBalance(user.userId) : relay.tokenBalance(user.tokenId);
      expect(await left).toEqual({ available: 0, held: 0, used: quota });
    },
    patienceMs,
  );
}

test(
  'RELAY-07 a storm of calls that come, go and are cut never spends more than there is',
  async () => {
    relay.upstream.behave(({ nonce, stream }) => {
      const kind = Number(nonce.slice(-1));
      if (kind === 0) return { status: 500 };
      if (kind === 1) return { cutAfterBytes: 600 };
      return { words: 1 + kind * 4, delayMs: kind, ...(stream && { eventDelayMs: 1 }) };
    });
    const user = await relay.addUser({ quota: 20_000, allocation: 15_000 });
    const other = await relay.addUser({ quota: 5000 });
    const calls = Array.from({ length: 1000 }, (_, index) => {
      const { key } = index % 4 === 0 ? other : user;
      const cutAfterBytes = index % 7 === 0 ? 300 : undefined;
      return relay.ask({ key, body: bodyFor(index % 2 === 0), ...(cutAfterBytes !== undefined && { cutAfterBytes }) });
    });
    const answers = await Promise.all(calls);
    await relay.settled();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403, 502]));
    for (const { userId } of [user, other]) {
      const { available, held, used } = await relay.userBalance(userId);
      expect(held).toBe(0);
      expect(available).toBeGreaterThanOrEqual(0);
      expect(used).toBeGreaterThan(0);
    }
    expect((await relay.tokenBalance(user.tokenId)).available).toBeGreaterThanOrEqual(0);
  },
  patienceMs,
);

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  expect(await relay.disagreements()).toEqual([]);
});
