import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LogCount } from '@weir/contract/logs';
import { role } from '@weir/contract/roles';
import { errorCountsSchema, silenceSchema, type Usage } from '@weir/contract/usage';
import * as v from 'valibot';
import { addChannel, addToken, setUser } from '../../../test/database/accounts.ts';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { addNote, addUse } from '../../../test/database/logs.ts';
import { addChannelAttempts, slotSeconds } from '../../store/channels/channel-health.ts';

let app: TestApp;
let admin: TestUser;
let alice: TestUser;
let bob: TestUser;
let now: number;

const day = 86_400;
const hour = 3600;

const use = async (who: TestUser, secondsAgo: number, values: Readonly<Record<string, string | number>>) => {
  const tokenId = await addToken(app.db, who.id, { unlimited_quota: 1 });
  const payer = { userId: who.id, tokenId, channelId: 1, tokenLimited: false };
  await addUse(app.db, payer, { created_at: now - secondsAgo, prompt_tokens: 2, completion_tokens: 1, ...values });
};

beforeAll(async () => {
  app = await buildTestApp({ frozen: true });
  // The middle of an hour and of a UTC day, so that the hours and days around it are known.
  const wanted = (Math.floor(app.clock.now() / (day * 1000)) + 1) * day + 12 * hour + 1800;
  app.clock.advance(wanted * 1000 - app.clock.now());
  now = wanted;
  admin = await app.addUser('admin', role.admin);
  alice = await app.addUser('alice');
  bob = await app.addUser('bob');
  for (const { id } of [alice, bob]) await setUser(app.db, id, { available: 1_000_000 });
  await addChannel(app.db, { id: 5, name: 'Main' });
  await use(alice, 60, { quota: 10, model_name: 'a', token_name: 'ci', channel_id: 5 });
  await use(alice, day + 60, { quota: 30, model_name: 'b', token_name: 'ci', channel_id: 5 });
  await use(alice, 8 * day, { quota: 7, model_name: 'b', token_name: 'web', channel_id: 5 });
  await use(bob, 2 * day, { quota: 100, model_name: 'a', token_name: 'ci', channel_id: 6 });
  await addNote(app.db, { created_at: now - 120, type: 5, channel_id: 5, model_name: 'a', content: 'works' });
});
afterAll(() => app.close());

const usage = (who: TestUser, path: string) => who.data('GET', `/api/usage/${path}`);
const one = { requests: 1, prompt_tokens: 2, completion_tokens: 1 };

test('the usage of the own account, by model, with the week before beside it', async () => {
  const expected: Partial<Usage> = {
    from: now + 1 - 7 * day,
    before: now + 1,
    step: day,
    total: { requests: 2, quota: 40, prompt_tokens: 4, completion_tokens: 2 },
    total_before: { ...one, quota: 7 },
    refused: 0,
    names: [
      { name: 'b', title: 'b', ...one, quota: 30, quota_before: 7 },
      { name: 'a', title: 'a', ...one, quota: 10, quota_before: 0 },
    ],
    buckets: [
      { at: Math.floor((now - day) / day) * day, name: 'b', ...one, quota: 30 },
      { at: Math.floor(now / day) * day, name: 'a', ...one, quota: 10 },
    ],
  };
  expect(await usage(alice, 'self')).toEqual(expected);
  expect(await usage(alice, 'self?by=channel')).toEqual(expected);
  const byKey = await usage(alice, `self?by=token&start_timestamp=${now - 9 * day}`);
  expect(byKey).toMatchObject({
    names: [
      { name: 'ci', quota: 40 },
      { name: 'web', quota: 7 },
    ],
  });
  expect(await usage(alice, `self?token_name=web&start_timestamp=${now - 9 * day}`)).toMatchObject({
    total: { quota: 7 },
    names: [{ name: 'b', quota: 7 }],
  });
});

test('the usage of all users, for administrators: by channel and user under their names, by the hour for short times', async () => {
  expect(await usage(admin, '?by=channel')).toMatchObject({
    total: { quota: 140 },
    names: [
      { name: '6', title: '6', quota: 100 },
      { name: '5', title: 'Main', quota: 40 },
    ],
  });
  expect(await usage(admin, '?by=user')).toMatchObject({
    names: [
      { name: String(bob.id), title: 'bob', quota: 100 },
      { name: String(alice.id), title: 'alice', quota: 40 },
    ],
  });
  expect(await usage(admin, `?start_timestamp=${now - day}`)).toMatchObject({
    step: hour,
    buckets: [{ at: now - 1800, name: 'a', quota: 10 }],
  });
  expect(await usage(admin, `?start_timestamp=${now}&end_timestamp=${now - day}`)).toMatchObject({ buckets: [] });
  expect(await alice.refused('GET', '/api/usage/')).toBe('Not permitted: insufficient permission');
});

test('failed attempts on all channels are counted by the hour, with the day before beside them', async () => {
  const slot = Math.floor(now / slotSeconds);
  const counted = (ago: number, outcome: string, count: number) => ({
    channel_id: 1 + (ago % 3),
    slot: slot - ago,
    outcome,
    band: 7,
    count,
  });
  await addChannelAttempts(app.db, [
    counted(0, 'ok', 90),
    counted(0, 'server', 6),
    counted(1, 'timeout', 4),
    counted(1, 'request', 50),
    counted(8, 'ok', 5),
    counted(4 * 24 + 4, 'account', 3),
    counted(4 * 48 + 4, 'account', 100),
  ]);
  const counts = v.parse(errorCountsSchema, await admin.data('GET', '/api/usage/errors'));
  expect(counts).toMatchObject({ succeeded: 95, failed: 10, before: { succeeded: 0, failed: 3 } });
  expect(counts.hours).toHaveLength(24);
  expect(counts.hours.at(-1)).toEqual({ at: now - 1800, succeeded: 90, failed: 10 });
  expect(counts.hours.at(-3)).toMatchObject({ succeeded: 5, failed: 0 });
  expect(await alice.refused('GET', '/api/usage/errors')).toBe('Not permitted: insufficient permission');
});

test('records are counted in buckets of time: as many as the list shows, in the step that fits the range', async () => {
  const count = (who: TestUser, query: string) => who.data('GET', `/api/log/${query}`);
  const empty: LogCount = { step: hour, total: 0, buckets: [] };
  expect(await count(admin, `count?start_timestamp=${now - 3 * day + 10}`)).toEqual({
    step: hour,
    total: 4,
    buckets: [
      { at: now - 1800 - 2 * day, records: 1, quota: 100, tokens: 3 },
      { at: now - 1800 - day, records: 1, quota: 30, tokens: 3 },
      { at: now - 1800, records: 2, quota: 10, tokens: 3 },
    ],
  });
  expect(await count(admin, `count?start_timestamp=${now - hour}&type=5`)).toEqual({
    step: 300,
    total: 1,
    buckets: [{ at: now - 300, records: 1, quota: 0, tokens: 0 }],
  });
  expect(await count(admin, 'count?username=bob')).toMatchObject({ step: day, total: 1 });
  expect(await count(admin, 'count?username=unknown')).toEqual(empty);
  expect(await count(alice, 'self/count?channel=6&username=bob')).toMatchObject({ total: 3 });
  expect(await count(alice, 'self/count?token_name=web')).toMatchObject({
    total: 1,
    buckets: [{ records: 1, quota: 7 }],
  });
});

test('C14 of two tokens of one name each has its own usage and records, also under an earlier name', async () => {
  const carol = await app.addUser('carol');
  await setUser(app.db, carol.id, { available: 1_000_000 });
  const tokens = [await addToken(app.db, carol.id, { unlimited_quota: 1 }), await addToken(app.db, carol.id)];
  const [first = 0, second = 0] = tokens;
  const calls = [
    { token_id: first, token_name: 'twin', quota: 5, secondsAgo: 60 },
    { token_id: first, token_name: 'before', quota: 7, secondsAgo: 3 * hour },
    { token_id: second, token_name: 'twin', quota: 11, secondsAgo: 2 * hour },
    { token_id: second, token_name: 'twin', quota: 13, secondsAgo: 3 * day },
  ];
  for (const { token_id: tokenId, secondsAgo, ...values } of calls) {
    const payer = { userId: carol.id, tokenId, channelId: 1, tokenLimited: false };
    await addUse(app.db, payer, { token_id: tokenId, model_name: 'a', created_at: now - secondsAgo, ...values });
  }
  const spent = async (tokenId: number) => carol.data('GET', `/api/usage/self?token_id=${tokenId}`);
  expect(await spent(first)).toMatchObject({ total: { requests: 2, quota: 12 } });
  expect(await spent(second)).toMatchObject({ total: { requests: 2, quota: 24 } });
  const records = (tokenId: number) => carol.data('GET', `/api/log/self?type=2&token_id=${tokenId}`);
  expect(await records(first)).toMatchObject([{ quota: 5 }, { quota: 7 }]);
  expect(await records(second)).toMatchObject([{ quota: 11 }, { quota: 13 }]);
  const counted = `/api/log/self/count?type=2&token_id=${second}`;
  expect(await carol.data('GET', counted)).toMatchObject({ total: 2 } satisfies Partial<LogCount>);
  expect(await carol.data('GET', '/api/log/self?type=2&token_name=twin')).toHaveLength(3);
});

describe('silence', () => {
  const hourNow = () => Math.floor(now / hour);
  /** Calls in the last full hour, so many days ago. */
  const hourly = (model: string, daysAgo: number, requests: number, later = 0) =>
    app.db.write
      .insertInto('log_hours')
      .values({
        hour: hourNow() - 1 + later - daysAgo * 24,
        user_id: alice.id,
        token_name: '',
        token_id: 0,
        model_name: model,
        channel_id: 5,
        requests,
        quota: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
      })
      .execute();
  const silence = async () => v.parse(silenceSchema, await admin.data('GET', '/api/usage/silence'));
  const earlier = [1, 2, 3, 4, 5, 6, 7];

  test('C13 models that have calls at this hour of most days, and none now, are listed; little traffic is not', async () => {
    expect(await silence()).toEqual({ since: (hourNow() - 1) * hour, gateway: false, models: [] });
    app.clock.advance(hour * 1000);
    now += hour;
    for (const daysAgo of earlier) {
      for (const model of ['steady', 'called']) await hourly(model, daysAgo, 30);
      await hourly('rare', daysAgo, 3);
      if (daysAgo > 1) await hourly('removed', daysAgo, 30);
      if (daysAgo < 5) await hourly('young', daysAgo, 90);
    }
    await hourly('called', 0, 1, 1);
    expect(await silence()).toEqual({ since: (hourNow() - 1) * hour, gateway: false, models: ['steady'] });
    await app.db.write
      .deleteFrom('log_hours')
      .where('hour', '>=', hourNow() - 1)
      .execute();
    expect(await silence()).toMatchObject({ gateway: true, models: [] });
    expect(await alice.refused('GET', '/api/usage/silence')).toBe('Not permitted: insufficient permission');
    expect((await app.visitor().call('GET', '/api/usage/silence')).status).toBe(401);
  });
});
