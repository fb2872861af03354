import { createRateLimit, rateLimitSchema } from '@weir/contract/limits/rate-limits';
import { explainCharge } from '@weir/contract/prices/charges';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readMetric } from '../app/read-metric.ts';
import type { RelayUser } from '../app/relay-user.ts';
import { buildRelayApp, type RelayApp, type RelayCall, until } from '../app/relay-app.ts';

let relay: RelayApp;
let channel: number;
let rule = 0;
beforeAll(async () => {
  relay = await buildRelayApp();
  channel = await relay.addChannel();
  // Slow machines need more than half a minute for some of these.
  await relay.setOption('QueueSeconds', '600');
});
afterAll(() => relay.close());

/** Calls that the channel may run at the same time. */
const limitTo = async (amount: number): Promise<void> => {
  const made = { scope: 'channel_key', subject: '', model: '', metric: 'concurrent', period: '', amount };
  rule = v.parse(rateLimitSchema, await relay.root.data('POST', createRateLimit.path, made)).id;
};
afterEach(async () => {
  relay.upstream.behave(() => ({ words: 1 }));
  await relay.root.data('DELETE', `/api/rate-limit/${rule}`);
  await relay.setOption('QueueSeconds', '600');
  await relay.setOption('QueueLengthMax', '1000');
  await relay.setOption('QueueGroupWeights', '{}');
  await relay.settled();
});

/** An upstream that answers one call after the other, as it is told to. */
const holdAnswers = () => {
  const held: (() => void)[] = [];
  relay.upstream.behave(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    return { words: 1, until: promise };
  });
  return {
    count: () => held.length,
    /** Lets the oldest call end, and waits until another has come in its place. */
    answerOne: async (hasNext: boolean) => {
      const before = relay.upstream.journal().length;
      held.shift()?.();
      if (hasNext) await until(() => relay.upstream.journal().length > before);
    },
    answerAll: () => {
      relay.upstream.behave(() => ({ words: 1 }));
      for (const answer of held.splice(0)) answer();
    },
  };
};

const waiting = (): Promise<number> => readMetric(relay.app, 'weir_relay_calls_queued');
const untilWaiting = (count: number) => until(async () => (await waiting()) === count);

let calls = 0;
/** Starts a call whose nonce begins with the name. */
const start = ({ key }: Pick<RelayUser, 'key'>, name: string): RelayCall => {
  calls += 1;
  return relay.start({ key, nonce: `${name}-${String(calls).padStart(6, '0')}` });
};

/** The names of calls in the order in which the upstream received them. */
const namesFrom = (index: number): string[] =>
  relay.upstream
    .journal()
    .slice(index)
    .map(({ body }) => /"user":"([a-z]+\d*)-/.exec(body.toString())?.[1] ?? '');

const statuses = (answers: readonly { readonly status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('calls that wait for a channel', () => {
  test('one user with 500 waiting calls and ten users with one each: the ten wait at most twice their share', async () => {
    await limitTo(2);
    const upstream = holdAnswers();
    const flood = await relay.addUser();
    const others = await Promise.all(Array.from({ length: 10 }, () => relay.addUser()));
    const from = relay.upstream.journal().length;
    const floods = Array.from({ length: 502 }, () => start(flood, 'flood'));
    await untilWaiting(500);
    const one = others.map((user, index) => start(user, `user${index}`));
    await untilWaiting(510);
    // Eleven users wait: the share of each is one of eleven calls.
    for (let index = 0; index < 22; index += 1) await upstream.answerOne(true);
    const served = namesFrom(from).slice(2, 2 + 22);
    expect(served.filter((name) => name.startsWith('user')).toSorted()).toEqual(
      others.map((_, index) => `user${index}`).toSorted(),
    );
    // In fact each of them comes in its first round, and the flood has its own share of it.
    expect(served.findLastIndex((name) => name.startsWith('user'))).toBeLessThanOrEqual(11);
    upstream.answerAll();
    const answers = await Promise.all([...floods, ...one].map(({ answer }) => answer));
    expect(statuses(answers)).toEqual({ 200: 512 });
    expect(await waiting()).toBe(0);

    const last = answers.at(-1);
    const log = await relay.logOf(last?.requestId ?? '');
    const charge = v.parse(explainCharge.data, await relay.root.data('GET', `/api/log/${String(log?.['id'])}/charge`));
    expect(charge.queued_ms).toBeGreaterThan(0);
    expect(charge.queued_ms).toBeLessThanOrEqual(Number(log?.['elapsed_time']));
  });

  test('users of a group are served as often as it weighs', async () => {
    await relay.setOption('QueueGroupWeights', '{"vip":3}');
    await relay.changeChannel(channel, { group: 'default,vip' });
    await limitTo(1);
    const upstream = holdAnswers();
    const [plain, vip] = [await relay.addUser(), await relay.addUser({ user: { group: 'vip' } })];
    const from = relay.upstream.journal().length;
    const started = [start(plain, 'first')];
    await until(() => relay.upstream.running() === 1);
    for (let index = 0; index < 12; index += 1) started.push(start(plain, 'plain'), start(vip, 'vip'));
    await untilWaiting(24);
    for (let index = 0; index < 12; index += 1) await upstream.answerOne(true);
    const served = namesFrom(from).slice(1, 13);
    expect(served.filter((name) => name === 'vip')).toHaveLength(9);
    upstream.answerAll();
    expect(statuses(await Promise.all(started.map(({ answer }) => answer)))).toEqual({ 200: 25 });
    await relay.changeChannel(channel, { group: 'default' });
  });

  test('a call that waited too long is refused, and one whose client left is never sent', async () => {
    await relay.setOption('QueueSeconds', '1');
    await limitTo(1);
    const upstream = holdAnswers();
    const user = await relay.addUser();
    const running = start(user, 'running');
    await until(() => relay.upstream.running() === 1);
    const sent = relay.upstream.journal().length;
    const refused = await start(user, 'late').answer;
    expect([refused.status, refused.error['code'], refused.headers['retry-after']]).toEqual([
      429,
      'queue_timeout',
      '1',
    ]);
    expect(String(refused.error['message'])).toContain('had room within 1 s');

    await relay.setOption('QueueSeconds', '600');
    const [leaving, staying] = [start(user, 'leaving'), start(user, 'staying')];
    await untilWaiting(2);
    leaving.request.destroy();
    await leaving.answer.catch(() => undefined);
    await untilWaiting(1);
    upstream.answerAll();
    expect((await running.answer).status).toBe(200);
    expect((await staying.answer).status).toBe(200);
    expect(namesFrom(sent)).toEqual(['staying']);
  });

  test('in a full queue the user with most waiting calls loses the last one', async () => {
    await relay.setOption('QueueLengthMax', '3');
    await limitTo(1);
    const upstream = holdAnswers();
    const [flood, other] = [await relay.addUser(), await relay.addUser()];
    const running = start(flood, 'running');
    await until(() => relay.upstream.running() === 1);
    const floods = [];
    for (let index = 1; index <= 3; index += 1) {
      floods.push(start(flood, 'flood'));
      await untilWaiting(index);
    }
    const fourth = await start(flood, 'flood').answer;
    expect([fourth.status, fourth.error['code']]).toEqual([429, 'queue_full']);
    const polite = start(other, 'polite');
    const pushed = await floods[2]?.answer;
    expect([pushed?.status, pushed?.error['code']]).toEqual([429, 'queue_full']);
    expect(await waiting()).toBe(3);
    upstream.answerAll();
    const kept = [running, ...floods.slice(0, 2), polite];
    expect(statuses(await Promise.all(kept.map(({ answer }) => answer)))).toEqual({ 200: 4 });
  });

  test('a key that is disabled while its call waits is refused, and the room goes to the next', async () => {
    await limitTo(1);
    const upstream = holdAnswers();
    const [user, other] = [await relay.addUser(), await relay.addUser()];
    const running = start(user, 'running');
    await until(() => relay.upstream.running() === 1);
    const revoked = start(user, 'revoked');
    await untilWaiting(1);
    const next = start(other, 'next');
    await untilWaiting(2);
    await relay.root.data('PUT', `/api/user/${user.userId}/token/?status_only=true`, { id: user.tokenId, status: 2 });
    upstream.answerAll();
    const answer = await revoked.answer;
    expect([answer.status, String(answer.error['message'])]).toEqual([401, expect.stringContaining('unavailable')]);
    expect((await next.answer).status).toBe(200);
    expect((await running.answer).status).toBe(200);
  });

  test('RELAY-05 a channel that is disabled while a call waits that names it is not called', async () => {
    await limitTo(1);
    const upstream = holdAnswers();
    const { key } = await relay.addUser({ user: { role: role.admin } });
    const running = start({ key }, 'running');
    await until(() => relay.upstream.running() === 1);
    const sent = relay.upstream.journal().length;
    const pinned = start({ key: `${key}-${channel}` }, 'pinned');
    await untilWaiting(1);
    await relay.changeChannel(channel, { status: 2 });
    upstream.answerAll();
    const answer = await pinned.answer;
    expect([answer.status, String(answer.error['message'])]).toEqual([
      403,
      expect.stringContaining('channel has been disabled'),
    ]);
    expect(namesFrom(sent)).toEqual([]);
    expect((await running.answer).status).toBe(200);
    await relay.changeChannel(channel, { status: 1 });
  });

  test('a limit that is raised or removed lets waiting calls go on', async () => {
    await limitTo(1);
    const upstream = holdAnswers();
    const user = await relay.addUser();
    const started = [1, 2, 3].map(() => start(user, 'call'));
    await untilWaiting(2);
    await relay.root.data('DELETE', `/api/rate-limit/${rule}`);
    await until(() => relay.upstream.running() === 3);
    upstream.answerAll();
    expect(statuses(await Promise.all(started.map(({ answer }) => answer)))).toEqual({ 200: 3 });
    await limitTo(1);
  });

  test('with no time to wait a call is refused at once', async () => {
    await relay.setOption('QueueSeconds', '0');
    await limitTo(1);
    const upstream = holdAnswers();
    const user = await relay.addUser();
    const running = start(user, 'running');
    await until(() => relay.upstream.running() === 1);
    const refused = await start(user, 'refused').answer;
    expect([refused.status, refused.error['code']]).toEqual([429, 'rate_limit_channels']);
    upstream.answerAll();
    expect((await running.answer).status).toBe(200);
  });
});

test('waiting leaves no hold, and no charge but those of the answers', async () => {
  await limitTo(1);
  expect(await relay.disagreements()).toEqual([]);
});
