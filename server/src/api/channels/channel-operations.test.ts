import {
  channelActivitySchema,
  type ChannelHealth,
  channelHealthSchema,
  channelTestRunSchema,
} from '@weir/contract/channel-health';
import { channelSchema } from '@weir/contract/channels';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp, testModel, until } from '../../../test/app/relay-app.ts';

let relay: RelayApp;
beforeEach(async () => {
  relay = await buildRelayApp();
});
afterEach(() => relay.close());

const row = (id: number) =>
  relay.app.db.read.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const run = async () => v.parse(channelTestRunSchema, await relay.root.data('GET', '/api/channel/test_run'));
const words = (part: string): unknown => expect.stringContaining(part);
const start = (scope: string) => relay.root.data('GET', `/api/channel/test${scope}`);
const ended = () => until(async () => !(await run()).running);
const health = async (id: number): Promise<ChannelHealth> =>
  v.parse(channelHealthSchema, await relay.root.data('GET', `/api/channel/${id}/health`));

/** Holds every answer of the upstream back until it is let go. */
const holdBack = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ until: promise }));
  return resolve;
};

describe('tests of many channels', () => {
  test('CHAN-06 C43 run in the background one at a time, report their progress, and keep their results', async () => {
    const good = await relay.addChannel({ name: 'good' });
    const bad = await relay.addChannel({ name: 'bad', key: 'wrong' });
    const release = holdBack();
    expect(await start('?scope=all')).toBeUndefined();
    await until(() => relay.upstream.running() === 1);
    expect(await run()).toMatchObject({ running: true, scope: 'all', total: 2, tested: 0, current: 'good' });
    expect(await relay.root.refused('GET', '/api/channel/test?scope=disabled')).toBe('Test is already running');
    release();
    await ended();
    const done = await run();
    expect(done).toMatchObject({ running: false, total: 2, tested: 2, failed: 1, cancelled: false, current: '' });
    expect(done.finished_time).toBeGreaterThanOrEqual(done.started_time);
    expect((await row(good)).response_time).toBeGreaterThan(0);
    expect(await row(bad)).toMatchObject({ response_time: 0, status: 1 });
    expect((await row(bad)).test_time).toBeGreaterThan(0);
    // Why it failed stays with the channel until a test passes.
    const reasonOf = async (id: number): Promise<unknown> =>
      v.parse(channelSchema, await relay.root.data('GET', `/api/channel/${id}`)).test_error;
    expect(await reasonOf(good)).toBe('');
    expect(await reasonOf(bad)).toMatch(/key/);
    const logs = await relay.app.db.read
      .selectFrom('logs')
      .select(['content', 'quota'])
      .where('type', '=', 5)
      .execute();
    expect(logs.map(({ content }) => content.split(',')[0])).toEqual([
      'channel good test succeeded',
      'channel bad test failed',
    ]);
    await relay.root.data('PUT', '/api/channel/', { id: bad, key: relay.upstream.key });
    await relay.root.data('GET', `/api/channel/test/${bad}`);
    expect(await reasonOf(bad)).toBe('');
  });

  test('CHAN-06 the scope selects the channels; an unknown one, or none, means all', async () => {
    await relay.addChannel();
    for (const status of [2, 3]) {
      const id = await relay.addChannel();
      await relay.app.db.write.updateTable('channels').set({ status }).where('id', '=', id).execute();
    }
    for (const [scope, total] of [
      ['?scope=disabled', 2],
      ['?scope=all', 3],
      ['', 3],
      ['?scope=odd', 3],
    ] as const) {
      await start(scope);
      await ended();
      expect(await run(), scope).toMatchObject({ total, tested: total });
    }
  });

  test('CHAN-06 a channel that is deleted meanwhile is left out, also while it is under test', async () => {
    const first = await relay.addChannel({ name: 'first' });
    const second = await relay.addChannel({ name: 'second' });
    const third = await relay.addChannel({ name: 'third' });
    const release = holdBack();
    await start('');
    await until(() => relay.upstream.running() === 1);
    for (const id of [first, second]) await relay.root.data('DELETE', `/api/channel/${id}`);
    release();
    await ended();
    expect(await run()).toMatchObject({ total: 2, tested: 2, failed: 0 });
    expect(await row(first)).toMatchObject({ test_time: 0 });
    expect((await row(third)).test_time).toBeGreaterThan(0);
  });

  test('CHAN-06 can be cancelled: the running test is dropped, results so far stay, and another run may start', async () => {
    const first = await relay.addChannel({ name: 'first' });
    const second = await relay.addChannel({ name: 'second' });
    let requests = 0;
    const release = holdBack();
    const { promise, resolve } = Promise.withResolvers<void>();
    relay.upstream.behave(() => (requests++ === 0 ? undefined : { until: promise }));
    await start('');
    await until(() => requests === 2);
    expect(await relay.root.data('DELETE', '/api/channel/test_run')).toMatchObject({ cancelled: true });
    await ended();
    expect(await run()).toMatchObject({ cancelled: true, total: 2, tested: 1 });
    expect((await row(first)).test_time).toBeGreaterThan(0);
    expect(await row(second)).toMatchObject({ test_time: 0 });
    release();
    resolve();
    await start('');
    await ended();
    expect(await run()).toMatchObject({ cancelled: false, tested: 2 });
  });

  test('CHAN-06 a stop of the process does not wait for a run', async () => {
    await relay.addChannel();
    holdBack();
    await start('');
    await until(() => relay.upstream.running() === 1);
    await relay.app.close();
    await until(() => relay.upstream.running() === 0);
    expect(relay.app.logged()).not.toContain('"level":50');
    expect(relay.app.logged()).not.toContain('test failed');
  });
});

test('CHAN-07 deleting the disabled channels deletes both kinds, with what they offered, and answers how many', async () => {
  const kept = await relay.addChannel();
  const ids: number[] = [];
  for (const status of [2, 3, 3]) {
    const id = await relay.addChannel({ models: `only-${status}` });
    await relay.app.db.write.updateTable('channels').set({ status }).where('id', '=', id).execute();
    ids.push(id);
  }
  expect(await relay.root.data('DELETE', '/api/channel/disabled')).toBe(3);
  expect(await relay.root.data('DELETE', '/api/channel/disabled')).toBe(0);
  const left = await relay.app.db.read.selectFrom('abilities').select('channel_id').distinct().execute();
  expect(left).toEqual([{ channel_id: kept }]);
  for (const id of ids) {
    expect(await row(id)).toMatchObject({ key_sealed: '', key_digest: '' });
    expect(await relay.root.refused('GET', `/api/channel/${id}`)).toBe('Record not found');
  }
});

describe('the health of a channel', () => {
  test('C13 counts successes, failures by kind and times, alone and beside all channels, and has the last failure and the users', async () => {
    const id = await relay.addChannel();
    const user = await relay.addUser();
    const ask = (body = {}) => relay.ask({ key: user.key, body });
    for (let count = 0; count < 3; count += 1) await ask();
    const answers = [
      { status: 500, body: '{"error":{"message":"it is ill"}}' },
      { status: 429, body: '{"error":{"message":"slow down"}}' },
      { status: 400, body: '{"error":{"message":"bad member"}}' },
      { body: 'no json' },
    ];
    for (const behaviour of answers) {
      relay.upstream.behave(() => behaviour);
      await ask();
    }
    relay.upstream.behave(() => ({ endAfterEvents: 3 }));
    await ask({ stream: true });
    await relay.settled();
    const { hour, day, hours, errors, failures, models, keys } = await health(id);
    expect(hour).toMatchObject({ succeeded: 3, failed: 4 });
    expect(hour.p50).toBeGreaterThan(0);
    expect(hour.p95).toBeGreaterThanOrEqual(hour.p50);
    expect(day).toEqual(hour);
    expect(hours).toHaveLength(24);
    expect(hours.at(-1)).toMatchObject(hour);
    expect(Object.fromEntries(errors.map(({ kind, count }) => [kind, count]))).toEqual({
      bad_answer: 2,
      server: 1,
      rate_limit: 1,
      request: 1,
    });
    expect(failures.map(({ kind, status, message }) => [kind, status, message])).toEqual([
      ['bad_answer', 200, words('ended the stream')],
      ['bad_answer', 200, words('')],
      ['request', 400, 'bad member'],
      ['rate_limit', 429, 'slow down'],
      ['server', 500, 'it is ill'],
    ]);
    expect(failures.every(({ model, request_id }) => model === testModel && request_id !== '')).toBe(true);
    expect(models).toEqual([{ model: testModel, requests: 4, quota: keys[0]?.quota }]);
    expect(keys).toMatchObject([{ requests: 4 }]);
    expect(keys[0]?.quota).toBe((await relay.userBalance(user.userId)).used);
    const counted = { succeeded: 3, failed: 4, hour_succeeded: 3, hour_failed: 4 };
    const activity = v.parse(v.array(channelActivitySchema), await relay.root.data('GET', '/api/channel/activity'));
    expect(activity).toEqual([{ id, ...counted, requests: 4, quota: keys[0]?.quota }]);
  });

  test('adds up what was written before, and keeps the latest failures only', async () => {
    const id = await relay.addChannel({ key: 'wrong' });
    const user = await relay.addUser();
    for (let round = 0; round < 4; round += 1) {
      for (let count = 0; count < 18; count += 1) await relay.ask({ key: user.key });
      expect((await health(id)).hour).toMatchObject({ succeeded: 0, failed: 18 * (round + 1), p50: 0 });
    }
    const { failures } = await health(id);
    expect(failures).toHaveLength(20);
    const kept = await relay.app.db.read.selectFrom('channel_failures').select('id').execute();
    expect(kept).toHaveLength(50);
    expect(failures.every(({ kind, status }) => kind === 'account' && status === 401)).toBe(true);
  });

  test('of an unused channel is empty, and one that does not exist has none', async () => {
    const id = await relay.addChannel();
    expect(await health(id)).toMatchObject({ errors: [], failures: [], models: [], keys: [], status_reason: '' });
    expect(await relay.root.refused('GET', '/api/channel/999999/health')).toBe('Record not found');
  });
});
