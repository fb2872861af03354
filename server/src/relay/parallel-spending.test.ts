import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelayApp, testPrice, until, type RelayApp } from '../../test/relay-app.ts';
import type { RelayUser } from '../../test/relay-user.ts';

let relay: RelayApp;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
});
afterAll(() => relay.close());

const parallel = 1000;
const covered = 10;
const rounds = 5;
/** Thousands of connections take a while on a busy machine. */
const patienceMs = 300_000;

/** Every request of these tests is as long as every other. */
const bodyFor = (stream: boolean) => ({ stream, max_tokens: 40 });

/** What one request reserves, as the log of one says. */
const holdOf = async (stream: boolean): Promise<number> => {
  const rich = await relay.addUser();
  const answer = await relay.ask({ key: rich.key, body: bodyFor(stream) });
  const log = await relay.logOf(answer.requestId);
  const detail: unknown = JSON.parse(String(log?.['detail']));
  return typeof detail === 'object' && detail !== null && 'held' in detail ? Number(detail.held) : 0;
};

interface Round {
  readonly stream: boolean;
  readonly user: RelayUser;
  readonly balance: number;
  readonly code: string;
}

const runRound = async ({ stream, user, balance, code }: Round): Promise<number> => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ until: gate, words: 40 }));
  const before = relay.upstream.journal().length;
  let refused = 0;
  const calls = Array.from({ length: parallel }, () => relay.start({ key: user.key, body: bodyFor(stream) }));
  const answers = calls.map(async ({ answer }) => {
    const done = await answer;
    if (done.status === 403) refused += 1;
    return done;
  });
  try {
    await until(() => refused === parallel - covered && relay.upstream.running() === covered);
  } finally {
    open();
  }
  const all = await Promise.all(answers);
  const served = all.filter(({ status }) => status === 200);
  expect(relay.upstream.journal().slice(before)).toHaveLength(covered);
  expect(served.filter(({ complete }) => complete)).toHaveLength(covered);
  for (const answer of all.filter(({ status }) => status !== 200)) {
    expect(answer.status).toBe(403);
    expect(answer.error['code']).toBe(code);
    const [, needed, available] = /: (\d+) needed, (\d+) available /.exec(String(answer.error['message'])) ?? [];
    expect(Number(needed)).toBeGreaterThan(Number(available));
    expect(available).toBe('0');
    expect(balance % covered).toBe(0);
  }
  await relay.settled();
  const charges = await Promise.all(served.map(({ requestId }) => relay.chargeOf(requestId)));
  const cost = testPrice({ prompt: 5, completion: 40 });
  expect(charges.map((charge) => charge?.amount)).toEqual(served.map(() => cost));
  expect(
    await relay.app.db.query.selectFrom('logs').select('id').where('user_id', '=', user.userId).execute(),
  ).toHaveLength(covered);
  return covered * cost;
};

describe('1,000 parallel requests on what covers ten', () => {
  for (const stream of [false, true]) {
    const kind = stream ? 'streams' : 'plain answers';

    test(
      `RELAY-07 ${kind}, ten of them paid by an account: ten reach the upstream, the rest are refused`,
      async () => {
        const balance = covered * (await holdOf(stream));
        for (let round = 0; round < rounds; round += 1) {
          const user = await relay.addUser({ quota: balance });
          const used = await runRound({ stream, user, balance, code: 'insufficient_user_quota' });
          expect(await relay.userBalance(user.userId)).toEqual({ available: balance - used, held: 0, used });
        }
      },
      patienceMs,
    );

    test(
      `RELAY-07 ${kind}, ten of them paid by a token: ten reach the upstream, the rest are refused`,
      async () => {
        const balance = covered * (await holdOf(stream));
        for (let round = 0; round < rounds; round += 1) {
          const user = await relay.addUser({ quota: 1_000_000, allocation: balance });
          const used = await runRound({ stream, user, balance, code: 'pre_consume_token_quota_failed' });
          expect(await relay.tokenBalance(user.tokenId)).toEqual({ available: balance - used, held: 0, used });
          expect(await relay.userBalance(user.userId)).toEqual({ available: 1_000_000 - used, held: 0, used });
        }
      },
      patienceMs,
    );
  }
});

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
