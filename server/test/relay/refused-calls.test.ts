import { type Log, logSchema, logType, type Refusal, refusalSchema } from '@weir/contract/logs';
import { sql } from 'kysely';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokenKey } from '../../src/store/credentials/token-key.ts';
import { addToken } from '../database/accounts.ts';
import type { TestUser } from '../app/app.ts';
import { buildRelayApp, type RelayApp, testModel } from '../app/relay-app.ts';
import type { RelayUserOptions } from '../app/relay-user.ts';
import { type RawAnswer, sendRaw } from '../clients/raw-client.ts';
import { tokenKeyColumns } from '../../src/store/tokens.ts';

let relay: RelayApp;
beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  await relay.addChannel({ name: 'Of others', models: 'elsewhere', group: 'vip' });
});
afterAll(() => relay.close());

const logsIn = (data: unknown): Log[] => v.parse(v.array(logSchema), data);
const find = async (who: Pick<TestUser, 'data'>, requestId: string) =>
  logsIn(await who.data('GET', `/api/log/${who === relay.root ? '' : 'self/'}search?keyword=${requestId}`));

/** The record of a refused call: it is written a moment after the answer. */
const recordOf = async (requestId: string): Promise<Log> => {
  await expect.poll(() => find(relay.root, requestId)).toHaveLength(1);
  const [log] = await find(relay.root, requestId);
  if (log === undefined) throw new Error('it was there a moment ago');
  return log;
};
const explain = async (who: Pick<TestUser, 'data'>, { id }: Log): Promise<Refusal> =>
  v.parse(refusalSchema, await who.data('GET', `/api/log/${id}/refusal`));

const past = 1_600_000_000;
const rich = {};

interface Case {
  readonly rule: string;
  readonly status: number;
  /** Absent: the call has a key that no token has. */
  readonly caller?: RelayUserOptions;
  readonly suffix?: string;
  readonly body?: Readonly<Record<string, unknown>> | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly model?: string;
  readonly retryAfter?: string;
}

const cases: readonly Case[] = [
  { rule: 'token_invalid', status: 401 },
  { rule: 'token_used_up', status: 401, caller: { token: { status: 4 } } },
  { rule: 'token_expired', status: 401, caller: { token: { expired_time: past } } },
  { rule: 'token_unavailable', status: 401, caller: { token: { status: 2 } } },
  { rule: 'token_empty', status: 401, caller: { allocation: 0 } },
  { rule: 'token_subnet', status: 403, caller: { token: { subnet: '10.0.0.0/8' } } },
  { rule: 'user_banned', status: 403, caller: { user: { status: 2 } } },
  { rule: 'invalid_json', status: 400, caller: rich, body: 'no json' },
  { rule: 'body_encoding', status: 415, caller: rich, headers: { 'content-encoding': 'nonsense' } },
  { rule: 'model_forbidden', status: 403, caller: { token: { models: 'other' } }, model: testModel },
  { rule: 'channel_forbidden', status: 403, caller: rich, suffix: '-1', model: testModel },
  { rule: 'channel_invalid', status: 400, caller: { user: { role: 10 } }, suffix: '-999999', model: testModel },
  { rule: 'no_channel', status: 503, caller: rich, body: { model: 'elsewhere' }, model: 'elsewhere', retryAfter: '1' },
  { rule: 'insufficient_user_quota', status: 403, caller: { quota: 1 }, model: testModel },
  { rule: 'pre_consume_token_quota_failed', status: 403, caller: { allocation: 1 }, model: testModel },
];

describe('C10 a refused call is found by its request ID, with its rule', () => {
  for (const { rule, status, caller, suffix = '', body = {}, headers = {}, model = '', retryAfter = '' } of cases) {
    test(`C10 ${rule}: ${status}`, async () => {
      const user = caller === undefined ? null : await relay.addUser(caller);
      const key = createTokenKey();
      const answer = await relay.ask({ key: (user?.key ?? `sk-${key}`) + suffix, body, headers });
      expect(answer.status).toBe(status);
      const log = await recordOf(answer.requestId);
      expect(log).toMatchObject({
        type: logType.refused,
        user_id: user?.userId ?? 0,
        model_name: model,
        quota: 0,
        channel: 0,
        refusal: { rule, status },
      });
      expect(answer.error['message']).toBe(`${log.content} (request id: ${answer.requestId})`);
      const refusal = await explain(relay.root, log);
      expect(refusal).toMatchObject({
        rule,
        token_id: user?.tokenId ?? 0,
        path: '/v1/chat/completions',
        key_tail: user === null ? key.slice(-4) : '',
        retry_after: retryAfter,
        similar: 1,
      });
      expect(answer.headers['retry-after'] ?? '').toBe(retryAfter);
      expect(refusal.address).toBe(user === null ? '127.0.0.1' : '');
      const stored = JSON.stringify(await relay.app.db.read.selectFrom('refusals').selectAll().execute());
      expect(stored).not.toContain(user === null ? key : user.key.replace('sk-', ''));
      expect(await relay.logOf(answer.requestId)).toBeNull();
    });
  }

  test('C10 without a key, and where no body is read', async () => {
    const send = (method: string, path: string) => sendRaw({ url: relay.url, method, path, body: '' });
    for (const answer of [await send('POST', '/v1/embeddings'), await send('GET', '/v1/models')]) {
      expect(await recordOf(answer.requestId)).toMatchObject({ refusal: { rule: 'token_missing', status: 401 } });
    }
  });

  test('C10 the route is shown as it stood to administrators, with the reason for each channel', async () => {
    const user = await relay.addUser();
    const disabled = await relay.addChannel({ name: 'Off', models: 'elsewhere' });
    await relay.changeChannel(disabled, { status: 2 });
    const answer = await relay.ask({ key: user.key, body: { model: 'elsewhere' } });
    const { route } = await explain(relay.root, await recordOf(answer.requestId));
    expect(route).toMatchObject([
      { name: 'Of others', verdict: 'other_group', rests: [] },
      { id: disabled, name: 'Off', verdict: 'disabled' },
    ]);
    const unlisted = await relay.ask({ key: user.key, body: { model: 'nowhere' } });
    expect((await explain(relay.root, await recordOf(unlisted.requestId))).route).toEqual([]);
  });

  test('C10 a failed upstream is the rule where no channel is left, with the attempts and the time to wait', async () => {
    const upstream = await relay.addUpstream();
    upstream.behave(() => ({
      status: 429,
      headers: { 'retry-after': '17' },
      body: JSON.stringify({ error: { message: 'slow down' } }),
    }));
    const channel = await relay.addChannel({ models: 'limited', base_url: upstream.url, key: upstream.key });
    const user = await relay.addUser();
    const answer = await relay.ask({ key: user.key, body: { model: 'limited' } });
    expect(answer.status).toBe(429);
    const log = await recordOf(answer.requestId);
    expect(log.refusal).toEqual({ rule: 'upstream_rate_limit', status: 429 });
    expect(await explain(relay.root, log)).toMatchObject({
      retry_after: '17',
      route: [{ id: channel, rests: [{ reason: 'retry_after' }] }],
      attempts: [{ channel, status: 429 }],
    });
  });
});

test('C10 users see their own refused calls alone, without channels; "all" types and sums have none', async () => {
  const [alice, bob] = [await relay.app.addUser('alice'), await relay.app.addUser('bob')];
  const answers: RawAnswer[] = [];
  for (const { id } of [alice, bob]) {
    const grant = {
      kind: 'credit',
      entry: 'grant',
      opKey: `grant:${id}`,
      actorId: 0,
      reason: '',
      at: 1,
      log: null,
    } as const;
    await relay.app.db.post({ ...grant, userId: id, amount: 1_000_000 });
    const key = createTokenKey();
    await addToken(relay.app.db, id, { ...tokenKeyColumns(relay.app.secrets, key), unlimited_quota: 1, name: 'own' });
    answers.push(await relay.ask({ key: `sk-${key}`, body: { model: 'elsewhere' } }));
    await recordOf(answers.at(-1)?.requestId ?? '');
  }
  const [own, others] = answers.map(({ requestId }) => requestId);
  const [record] = logsIn(await alice.data('GET', `/api/log/self?type=${logType.refused}`));
  expect(record).toMatchObject({ request_id: own, token_name: 'own', username: 'alice' });
  expect(await find(alice, own ?? '')).toHaveLength(1);
  expect(await find(alice, others ?? '')).toEqual([]);
  if (record === undefined) throw new Error('no record');
  expect(await explain(alice, record)).toMatchObject({ rule: 'no_channel', address: '', route: null });
  expect(await bob.refused('GET', `/api/log/${record.id}/refusal`)).toBe('Record not found');

  const list = async (path: string) => logsIn(await relay.root.data('GET', `/api/log/?${path}`));
  const refused = `type=${logType.refused}`;
  expect(await list(`${refused}&username=alice&model_name=elsewhere`)).toMatchObject([{ request_id: own }]);
  expect(await list(`${refused}&username=alice&model_name=${testModel}`)).toEqual([]);
  expect(await list(`${refused}&username=alice&channel=1`)).toEqual([]);
  expect(await list(`${refused}&username=alice&end_timestamp=${record.created_at - 1}`)).toEqual([]);
  expect((await list('username=alice')).map(({ type }) => type)).not.toContain(logType.refused);
  expect(await relay.root.data('GET', `/api/log/count?${refused}&username=alice`)).toMatchObject({ total: 1 });
  expect(await relay.root.data('GET', `/api/log/stat?${refused}&username=alice`)).toEqual({ quota: 0, token: 0 });
  const { text } = await alice.call('GET', `/api/log/self/export?${refused}`);
  expect(
    text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').slice(-2)),
  ).toEqual([
    ['status', 'rule'],
    ['503', 'no_channel'],
  ]);
  const usage = v.parse(v.looseObject({ refused: v.number() }), await alice.data('GET', '/api/usage/self'));
  expect(usage.refused).toBe(1);
});

test('OPT-LogRefusalEnabled OPT-LogRefusalDays C10 off, nothing is stored; what is too old is deleted with the log', async () => {
  const user = await relay.addUser();
  const stored = async () => (await relay.app.db.read.selectFrom('refusals').select('id').execute()).length;
  await relay.setOption('LogRefusalEnabled', 'false');
  const unlogged = await relay.ask({ key: user.key, body: { model: 'elsewhere' } });
  expect(unlogged.status).toBe(503);
  await relay.setOption('LogRefusalEnabled', 'true');
  const logged = await relay.ask({ key: user.key, body: { model: 'elsewhere' } });
  await recordOf(logged.requestId);
  expect(await find(relay.root, unlogged.requestId)).toEqual([]);
  expect(await stored()).toBeGreaterThan(0);
  const soon = Math.floor(relay.app.clock.now() / 1000) + 1000;
  await relay.root.data('DELETE', `/api/log/?target_timestamp=${soon}`);
  expect(await stored()).toBe(0);
});

test('C10 while records cannot be written, calls are refused and relayed as ever; they are written later, once', async () => {
  const user = await relay.addUser();
  const run = (text: string) => relay.app.db.write.transaction().execute((trx) => sql.raw(text).execute(trx));
  await run('alter table refusal_sums rename to away');
  const refused = await relay.ask({ key: user.key, body: { model: 'elsewhere' } });
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
  await expect.poll(() => relay.app.logged()).toContain('background job failed');
  expect((await relay.ask({ key: user.key })).status).toBe(200);
  await run('alter table away rename to refusal_sums');
  expect(await explain(relay.root, await recordOf(refused.requestId))).toMatchObject({ similar: 1 });
  const { text } = await relay.app.visitor().call('GET', '/metrics');
  expect(text).toMatch(/^weir_relay_refusals_total\{rule="no_channel"\} [1-9]/m);
  expect(text).toMatch(/^weir_refusals_lost_total 0$/m);
  expect(await relay.disagreements()).toEqual([]);
});
