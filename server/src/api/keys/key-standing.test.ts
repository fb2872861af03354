import { createBudget } from '@weir/contract/limits/budgets';
import { createRateLimit } from '@weir/contract/limits/rate-limits';
import { getKeyStanding } from '@weir/contract/limits/key-standing';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTokenKey } from '../../store/credentials/token-key.ts';
import { buildRelayApp, testModel, type RelayApp } from '../../../test/app/relay-app.ts';

let relay: RelayApp;
beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  await relay.addChannel({ models: 'another-model' });
});
afterAll(() => relay.close());

const { path } = getKeyStanding;
const standingSchema = getKeyStanding.data;
/** Without a session. */
const ask = async (key: string) => {
  const caller = relay.app.visitor();
  return v.parse(standingSchema, await caller.data('POST', path, { key }));
};
const refused = (key: string) => relay.app.visitor().refused('POST', path, { key });

test('a holder sees what the key may still do and its last calls, and nothing of the account', async () => {
  const user = await relay.addUser({
    quota: 987_654_321,
    allocation: 1000,
    user: { username: 'owner-canary', email: 'canary@example.com' },
    token: { name: 'Agent', models: `${testModel},gone-model` },
  });
  const other = await relay.addUser();
  for (const subject of [String(user.tokenId), String(other.tokenId), ''])
    await relay.root.data('POST', createRateLimit.path, {
      scope: 'token',
      subject,
      metric: 'requests',
      period: 'hour',
      amount: subject === '' ? 5 : 100 + Number(subject),
    });
  const budget = { scope: 'token', period: 'day', zone: 'UTC', amount: 500 };
  for (const { tokenId } of [user, other])
    await relay.root.data('POST', createBudget.path, { ...budget, subject_id: tokenId });
  relay.upstream.behave(() => ({ words: 2, usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } }));
  const answers = [];
  for (const { key } of [user, other, user]) answers.push(await relay.ask({ key, body: { max_tokens: 2 } }));
  await relay.settled();
  const standing = await ask(user.key);
  expect(standing).toMatchObject({
    name: 'Agent',
    status: 1,
    expired_time: -1,
    valid_until: 0,
    unlimited_quota: false,
    remain_quota: 1000 - 22,
    used_quota: 22,
    models: [testModel],
    budgets: [{ period: 'day', zone: 'UTC', hard: true, granted: 500, held: 0, used: 22 }],
    limits: [{ metric: 'requests', period: 'hour', amount: 100 + user.tokenId, model: '' }],
  });
  expect(standing.calls.map(({ request_id: id }) => id)).toEqual([answers[2]?.requestId, answers[0]?.requestId]);
  expect(standing.calls[0]).toMatchObject({ model_name: testModel, prompt_tokens: 7, completion_tokens: 2, quota: 11 });
  expect(JSON.stringify(standing)).not.toMatch(/canary|987654|987_654/);
  // As it is copied, with a channel, or as a header has it.
  for (const key of [user.key.slice(3), `${user.key}-1`, `Bearer ${user.key}`, ` ${user.key} `])
    expect((await ask(key)).name).toBe('Agent');
  expect(await ask(other.key)).toMatchObject({ unlimited_quota: true, remain_quota: 0 });
});

test('a key that opens nothing shows nothing', async () => {
  const banned = await relay.addUser({ user: { status: 2 } });
  const deleted = await relay.addUser({ token: { deleted_time: 5 } });
  const invalid = 'This key is not valid';
  for (const key of [banned.key, deleted.key, `sk-${createTokenKey()}`, 'sk-short', 'x'.repeat(256)])
    expect(await refused(key)).toBe(invalid);
  const near = await relay.addUser({ token: { subnet: '10.0.0.0/8' } });
  expect(await refused(near.key)).toBe('This key does not work from your network');
  expect(await refused('')).toMatch(/Invalid input.*key/);
  // Disabled and expired keys show that they are.
  const disabled = await relay.addUser({ token: { status: 2 } });
  expect(await ask(disabled.key)).toMatchObject({ status: 2 });
});

test('a replaced key is shown until the overlap ends', async () => {
  const user = await relay.addUser();
  const now = Math.floor(relay.app.clock.now() / 1000);
  const token = relay.app.db.read.selectFrom('tokens').select('key_digest').where('id', '=', user.tokenId);
  const { key_digest: digest } = await token.executeTakeFirstOrThrow();
  await relay.app.db.write
    .updateTable('tokens')
    .set({ key_digest: 'another' })
    .where('id', '=', user.tokenId)
    .execute();
  await relay.app.db.write
    .insertInto('replaced_keys')
    .values({
      key_digest: digest,
      token_id: user.tokenId,
      roll_id: 'roll',
      successor: 'another',
      valid_until: now + 60,
      created_time: now,
    })
    .execute();
  expect(await ask(user.key)).toMatchObject({ valid_until: now + 60 });
  relay.app.clock.advance(61_000);
  expect(await refused(user.key)).toBe('This key is not valid');
});
