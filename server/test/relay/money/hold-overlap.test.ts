import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabaseKind } from '../../database/database.ts';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';

let relay: RelayApp;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
});
afterAll(() => relay.close());

const body = { stream: true, max_tokens: 40 };

/** Changes a balance as another node does: this one's memory does not hear of it. */
const creditElsewhere = (userId: number, amount: number) =>
  relay.app.db.post({
    kind: 'credit',
    entry: 'adjust',
    opKey: `elsewhere:${userId}`,
    userId,
    amount,
    actorId: 0,
    reason: 'test',
    at: 1,
    log: null,
  });

/** A user whose balance is in memory already. */
const addKnownUser = async (quota: number) => {
  relay.upstream.behave(() => ({ words: 3 }));
  const user = await relay.addUser({ quota });
  expect((await relay.ask({ key: user.key, body })).status).toBe(200);
  await relay.settled();
  return { ...user, left: (await relay.userBalance(user.userId)).available };
};

for (const answered of ['a stream', 'a whole answer'] as const) {
  test(`RELAY-07 an ample balance that was spent elsewhere meanwhile: ${answered} does not go out, and costs nothing`, async () => {
    const { key, userId, left } = await addKnownUser(1_000_000);
    await creditElsewhere(userId, -left);
    const requestsBefore = relay.upstream.journal().length;
    relay.upstream.behave(() => ({
      delayMs: 50,
      ...(answered === 'a whole answer' && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          choices: [{ index: 0, message: { role: 'assistant', content: 'free' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
        }),
      }),
    }));
    const answer = await relay.ask({ key, body });
    expect(answer.status).toBe(403);
    expect(answer.error).toMatchObject({ code: 'insufficient_user_quota' });
    expect(relay.upstream.journal()).toHaveLength(requestsBefore + 1);
    await relay.settled();
    expect(await relay.userBalance(userId)).toMatchObject({ available: 0, held: 0 });
  });
}

test('RELAY-07 a balance of a few calls that was spent elsewhere meanwhile does not reach the upstream of a PostgreSQL gateway', async () => {
  const { key, userId, left } = await addKnownUser(600);
  await creditElsewhere(userId, -left);
  const requestsBefore = relay.upstream.journal().length;
  relay.upstream.behave(() => ({ delayMs: 50 }));
  expect((await relay.ask({ key, body })).status).toBe(403);
  expect(relay.upstream.journal()).toHaveLength(testDatabaseKind === 'postgres' ? requestsBefore : requestsBefore + 1);
});

// Of SQLite there is no other node.
if (testDatabaseKind === 'postgres') {
  for (const waitMs of [20, 300]) {
    test(`RELAY-07 an ample balance that was spent elsewhere within ${waitMs} ms: the answer that was asked for whole does not go out, and costs nothing`, async () => {
      const { key, userId, left } = await addKnownUser(1_000_000);
      const requestsBefore = relay.upstream.journal().length;
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      relay.upstream.behave(() => ({ words: 3, until: gate }));
      const call = relay.start({ key, body: { ...body, stream: false } });
      await expect.poll(() => relay.upstream.running()).toBe(1);
      await creditElsewhere(userId, -left);
      setTimeout(open, waitMs);
      const answer = await call.answer;
      expect(answer.status).toBe(403);
      expect(answer.error).toMatchObject({ code: 'insufficient_user_quota' });
      expect(relay.upstream.journal()).toHaveLength(requestsBefore + 1);
      await relay.settled();
      expect(await relay.userBalance(userId)).toMatchObject({ available: 0, held: 0 });
      expect(await relay.chargeOf(answer.requestId)).toBeNull();
    });
  }

  test('M16 what another node added to a balance is known before a call is refused or limited for it', async () => {
    const { key, userId, left } = await addKnownUser(60);
    expect(left).toBeLessThan(60);
    await creditElsewhere(userId, 10_000);
    const answer = await relay.ask({ key, body });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers['x-weir-output-cap']).toBeUndefined();
  });
}

test('M16 a charge and its log record have the second in which the answer ended', async () => {
  const { key } = await relay.addUser({ quota: 1000 });
  const since = Math.floor(Date.now() / 1000);
  const { requestId } = await relay.ask({ key, body });
  await relay.settled();
  const until = Math.floor(Date.now() / 1000);
  const { read } = relay.app.db;
  for (const table of ['ledger', 'logs'] as const) {
    const row = read.selectFrom(table).select('created_at').where('request_id', '=', requestId);
    const { created_at: at } = await row.executeTakeFirstOrThrow();
    expect(at, table).toBeGreaterThanOrEqual(since);
    expect(at, table).toBeLessThanOrEqual(until);
  }
});

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  expect(await relay.disagreements()).toEqual([]);
});
