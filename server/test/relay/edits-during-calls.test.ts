import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usedQuota } from '../../src/store/channels/used-quota.ts';
import type { TestUser } from '../app/app.ts';
import { isJson } from '../parsing/json.ts';
import { buildRelayApp, testModel, testPrice, until, type RelayApp } from '../app/relay-app.ts';

let relay: RelayApp;

beforeAll(async () => {
  relay = await buildRelayApp();
});
afterAll(() => relay.close());

interface CallKind {
  readonly name: string;
  readonly stream: boolean;
  /** The edit waits until the hold is durable. */
  readonly isHeld: boolean;
}

interface Owner {
  readonly owner: TestUser;
  readonly tokenId: number;
  readonly key: string;
}

/** A user who can sign in, with a token made over the API. */
const addOwner = async (token: Readonly<Record<string, unknown>>): Promise<Owner> => {
  const owner = await relay.app.addUser(`owner-${randomUUID().slice(0, 8)}`);
  const grant = { opKey: `grant:${owner.id}`, amount: 1_000_000, actorId: 0, reason: 'test', log: null };
  await relay.app.db.post({ kind: 'credit', entry: 'grant', userId: owner.id, at: 1, ...grant });
  const made = await owner.data('POST', '/api/token/', { name: 'mine', ...token });
  if (!isJson(made)) throw new Error('no token was made');
  return { owner, tokenId: Number(made['id']), key: `sk-${String(made['key'])}` };
};

const usage = { prompt_tokens: 5, completion_tokens: 20, total_tokens: 25 };
const cost = testPrice({ prompt: 5, completion: 20 });

/** Runs `edit` while a stream rests half way, and hands out the finished call. */
const during = async (key: string, model: string, edit: () => Promise<unknown>) => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ words: 20, usage, pause: { afterEvents: 10, until: gate } }));
  const call = relay.start({ key, body: { model, stream: true } });
  await until(() => call.received() > 0);
  await edit();
  open();
  const answer = await call.answer;
  expect(answer.status).toBe(200);
  expect(answer.complete).toBe(true);
  await relay.settled();
  return answer;
};

const channelFor = (model: string) => relay.addChannel({ models: model });
const channelUsed = async (id: number) =>
  (await relay.app.db.read.selectFrom('channels').select(usedQuota.as('used')).where('id', '=', id).executeTakeFirst())
    ?.used;

describe('while a stream runs', () => {
  test('RELAY-07 a new price does not touch it, and counts for the next one', async () => {
    await channelFor(testModel);
    const { key } = await relay.addUser();
    const old = await relay.app.db.read
      .selectFrom('options')
      .select('value')
      .where('key', '=', 'ModelRatio')
      .executeTakeFirst();
    const answer = await during(key, testModel, () =>
      relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 1000 })),
    );
    expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: cost, estimated: 0 });
    expect(await relay.logOf(answer.requestId)).toMatchObject({ quota: cost, content: 'ratio: 1.00 × 1.00 × 2.00' });
    relay.upstream.behave(() => ({ usage }));
    const next = await relay.ask({
      key,
      nonce: 'dear',
      body: JSON.stringify({ model: testModel, user: 'dear', messages: [{ role: 'user', content: 'x' }] }),
    });
    expect(await relay.chargeOf(next.requestId)).toEqual({ amount: cost * 1000, estimated: 0 });
    await relay.setOption('ModelRatio', old?.value ?? '');
  });

  test('RELAY-07 its channel may be disabled, edited or deleted: it ends well, and its use is the channel’s', async () => {
    const { key } = await relay.addUser();
    const edits: readonly ((id: number) => Promise<unknown>)[] = [
      (id) => relay.changeChannel(id, { status: 2 }),
      (id) => relay.changeChannel(id, { base_url: 'http://127.0.0.1:1', key: 'other', models: 'other' }),
      (id) => relay.root.data('DELETE', `/api/channel/${id}`),
    ];
    for (const [index, edit] of edits.entries()) {
      const model = `edited-${index}`;
      await relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 1, [model]: 1 }));
      await relay.setOption('CompletionRatio', JSON.stringify({ [testModel]: 2, [model]: 2 }));
      const channel = await channelFor(model);
      const answer = await during(key, model, () => edit(channel));
      expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: cost, estimated: 0 });
      expect(await channelUsed(channel)).toBe(cost);
      expect((await relay.ask({ key, body: { model } })).status).toBe(503);
    }
  });

  test('RELAY-07 its token may be disabled or deleted: it ends well and is charged', async () => {
    for (const edit of [
      ({ owner, tokenId }: Owner) => owner.data('PUT', '/api/token/?status_only=true', { id: tokenId, status: 2 }),
      ({ owner, tokenId }: Owner) => owner.data('DELETE', `/api/token/${tokenId}`),
    ]) {
      for (const token of [{ unlimited_quota: true }, { remain_quota: 50_000 }]) {
        const made = await addOwner(token);
        const answer = await during(made.key, testModel, () => edit(made));
        expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: cost, estimated: 0 });
        expect(await relay.userBalance(made.owner.id)).toEqual({ available: 1_000_000 - cost, held: 0, used: cost });
        expect((await relay.tokenBalance(made.tokenId)).used).toBe(cost);
        expect((await relay.ask({ key: made.key })).status).toBe(401);
      }
    }
  });

  test('RELAY-07 M1 its user may be disabled or deleted: it ends well and is charged', async () => {
    for (const edit of [
      ({ owner }: Owner) =>
        relay.root.data('POST', '/api/user/manage', { username: owner.username, action: 'disable' }),
      ({ owner }: Owner) => relay.root.data('DELETE', `/api/user/${owner.id}`),
      ({ owner }: Owner) => owner.data('DELETE', '/api/user/self'),
    ]) {
      const made = await addOwner({ unlimited_quota: true });
      const answer = await during(made.key, testModel, () => edit(made));
      expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: cost, estimated: 0 });
      expect(await relay.userBalance(made.owner.id)).toEqual({ available: 1_000_000 - cost, held: 0, used: cost });
    }
  });

  test('RELAY-07 B12 its token may get another allocation: no use is lost and none is counted twice', async () => {
    for (const remain of [0, 10, 2000, 50_000, 900_000]) {
      const made = await addOwner({ remain_quota: 50_000 });
      const answer = await during(made.key, testModel, () =>
        made.owner.data('PUT', '/api/token/', { id: made.tokenId, remain_quota: remain, used_quota: 0 }),
      );
      const charge = await relay.chargeOf(answer.requestId);
      expect(charge).toEqual({ amount: cost, estimated: 0 });
      const { available, held, used } = await relay.tokenBalance(made.tokenId);
      expect({ held, used }).toEqual({ held: 0, used: cost });
      // What was held when the form was saved could not be taken away any more.
      expect(available).toBeGreaterThanOrEqual(Math.max(0, remain - cost));
      expect(available).toBeLessThanOrEqual(Math.max(remain - cost, 2000));
    }
  });

  test('M11 the wall clock may be set back: its checkpoints go on', async () => {
    const { key, userId } = await relay.addUser();
    let ended = false;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    relay.upstream.behave(() => ({ words: 100, eventDelayMs: 100, pause: { afterEvents: 1, until: gate } }));
    const call = relay.start({ key, body: { stream: true } });
    void call.answer.finally(() => (ended = true));
    await until(() => call.received() > 0);
    relay.app.clock.advance(-3_600_000);
    open();
    const progress = async () =>
      (await relay.app.db.read.selectFrom('holds').select('progress').where('user_id', '=', userId).executeTakeFirst())
        ?.progress ?? 0;
    await until(async () => ended || (await progress()) > 0).finally(() => relay.app.clock.advance(3_600_000));
    expect(ended).toBe(false);
    expect((await call.answer).complete).toBe(true);
    await relay.settled();
  });

  test('RELAY-07 its token may become unlimited, or limited', async () => {
    for (const [from, to] of [
      [{ remain_quota: 50_000 }, { unlimited_quota: true }],
      [{ unlimited_quota: true }, { unlimited_quota: false, remain_quota: 7000 }],
    ] as const) {
      const made = await addOwner(from);
      const answer = await during(made.key, testModel, () =>
        made.owner.data('PUT', '/api/token/', { id: made.tokenId, ...to }),
      );
      expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: cost, estimated: 0 });
      expect(await relay.userBalance(made.owner.id)).toEqual({ available: 1_000_000 - cost, held: 0, used: cost });
      expect(await relay.tokenBalance(made.tokenId)).toMatchObject({ held: 0, used: cost });
    }
  });
});

describe('a key that is lowered during a call', () => {
  /** Runs `edit` while the call rests: a stream half way, a whole answer before its first byte. */
  const duringCall = async (made: Owner, kind: CallKind, edit: () => Promise<unknown>) => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { stream, isHeld } = kind;
    relay.upstream.behave(() => ({
      words: 20,
      usage,
      ...(stream ? { pause: { afterEvents: 10, until: gate } } : { until: gate }),
    }));
    const call = relay.start({ key: made.key, body: { model: testModel, stream } });
    await until(() => (stream ? call.received() > 0 : relay.upstream.running() > 0));
    if (isHeld) await until(async () => (await relay.userBalance(made.owner.id)).held > 0);
    await edit();
    open();
    const answer = await call.answer;
    expect(answer).toMatchObject({ status: 200, complete: true });
    await relay.settled();
    return answer;
  };
  const kinds: readonly CallKind[] = [
    { name: 'a stream', stream: true, isHeld: true },
    { name: 'a whole answer whose hold is durable', stream: false, isHeld: true },
    { name: 'a whole answer at once', stream: false, isHeld: false },
  ];
  const lowered = { unlimited_quota: false, remain_quota: 0 };

  for (const kind of kinds) {
    test(`RELAY-07 M1 ${kind.name}: unlimited, then 0, then unlimited: the account pays each call in full`, async () => {
      const made = await addOwner({ unlimited_quota: true });
      const put = (values: object) => made.owner.data('PUT', '/api/token/', { id: made.tokenId, ...values });
      for (const count of [1, 2, 3]) {
        const answer = await duringCall(made, kind, () => put(lowered));
        expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: cost, estimated: 0 });
        const used = count * cost;
        expect(await relay.userBalance(made.owner.id)).toEqual({ available: 1_000_000 - used, held: 0, used });
        expect(await relay.tokenBalance(made.tokenId)).toEqual({ available: 0, held: 0, used });
        expect((await relay.ask({ key: made.key })).status).toBe(401);
        await put({ unlimited_quota: true });
        await made.owner.data('PUT', '/api/token/?status_only=true', { id: made.tokenId, status: 1 });
      }
    });

    test(`RELAY-07 M1 ${kind.name}: limited, then 0: the account pays in full, and the key what it has`, async () => {
      const made = await addOwner({ remain_quota: 50_000 });
      const put = (values: object) => made.owner.data('PUT', '/api/token/', { id: made.tokenId, ...values });
      const answer = await duringCall(made, kind, () => put({ remain_quota: 0 }));
      expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: cost, estimated: 0 });
      expect(await relay.userBalance(made.owner.id)).toEqual({ available: 1_000_000 - cost, held: 0, used: cost });
      expect(await relay.tokenBalance(made.tokenId)).toMatchObject({ held: 0, used: cost });
    });
  }
});

describe('the log', () => {
  test('RELAY-09 has one row for each charged request, with everything that made its price', async () => {
    const { key, userId, tokenId } = await relay.addUser({
      user: { username: 'logged-user', group: 'vip' },
      token: { name: 'logged token' },
    });
    await relay.setOption('GroupRatio', JSON.stringify({ default: 1, vip: 0.5 }));
    const channel = await relay.addChannel({ group: 'vip', system_prompt: 'Be brief.' });
    relay.upstream.behave(() => ({ usage }));
    for (const stream of [false, true]) {
      const messages = [
        { role: 'system', content: 'Be long.' },
        { role: 'user', content: 'hi' },
      ];
      const nonce = `vip-${stream}`;
      const answer = await relay.ask({
        key,
        nonce,
        body: JSON.stringify({ model: testModel, user: nonce, messages, stream }),
      });
      const quota = Math.ceil(cost / 2);
      expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: quota, estimated: 0 });
      const row = await relay.logOf(answer.requestId);
      expect(row).toMatchObject({
        type: 2,
        user_id: userId,
        username: 'logged-user',
        token_id: tokenId,
        token_name: 'logged token',
        channel_id: channel,
        model_name: testModel,
        prompt_tokens: 5,
        completion_tokens: 20,
        quota,
        content: 'ratio: 1.00 × 0.50 × 2.00',
        is_stream: stream ? 1 : 0,
        system_prompt_reset: 1,
      });
      expect(row?.['elapsed_time']).toBeGreaterThanOrEqual(0);
      const detail: unknown = JSON.parse(String(row?.['detail']));
      expect(detail).toMatchObject({
        ratios: { model: '1', completion: '2', group: '0.5' },
        attempts: [{ channel, status: 200 }],
      });
    }
    const counted = await relay.app.db.read
      .selectFrom('users')
      .select('request_count')
      .where('id', '=', userId)
      .executeTakeFirst();
    expect(counted?.request_count).toBe(2);
  });

  test('RELAY-09 has no row while it is switched off, and everything is charged all the same', async () => {
    const { key, userId } = await relay.addUser();
    await relay.setOption('LogConsumeEnabled', 'false');
    relay.upstream.behave(() => ({ usage }));
    for (const stream of [false, true]) {
      const answer = await relay.ask({ key, body: { stream } });
      expect(await relay.chargeOf(answer.requestId)).toEqual({ amount: cost, estimated: 0 });
      expect(await relay.logOf(answer.requestId)).toBeNull();
    }
    await relay.setOption('LogConsumeEnabled', 'true');
    expect((await relay.userBalance(userId)).used).toBe(2 * cost);
    const answer = await relay.ask({ key });
    expect(await relay.logOf(answer.requestId)).toMatchObject({ quota: cost });
  });

  test('RELAY-07 a free model is logged and costs nothing', async () => {
    await relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 1, gratis: 0 }));
    await channelFor('gratis');
    const { key, userId } = await relay.addUser({ quota: 0 });
    relay.upstream.behave(() => ({ words: 3000 }));
    for (const stream of [false, true]) {
      const nonce = `gratis-${stream}`;
      const answer = await relay.ask({
        key,
        nonce,
        body: JSON.stringify({ model: 'gratis', user: nonce, stream, messages: [{ role: 'user', content: 'hi' }] }),
      });
      expect(answer.complete).toBe(true);
      expect(await relay.logOf(answer.requestId)).toMatchObject({ quota: 0, completion_tokens: 3000 });
    }
    expect(await relay.userBalance(userId)).toEqual({ available: 0, held: 0, used: 0 });
  });
});

test('RELAY-07 ledger, clients and upstream agree after all of this', async () => {
  const faults = await relay.disagreements();
  // These had prices of their own, which were compared above.
  expect(faults.filter((fault) => !/^L[67] (dear|vip-\w+|gratis-\w+) /.test(fault))).toEqual([]);
});
