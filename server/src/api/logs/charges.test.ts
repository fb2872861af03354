import { afterAll, beforeAll, expect, test } from 'vitest';
import { chargeSchema, type Charge } from '@weir/contract/prices/charges';
import { logSchema } from '@weir/contract/logs';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { addToken, setUser } from '../../../test/database/accounts.ts';
import { addNote, addUse } from '../../../test/database/logs.ts';
import { buildRelayApp, testModel, type RelayApp } from '../../../test/app/relay-app.ts';

let relay: RelayApp;
let channel: number;

beforeAll(async () => {
  relay = await buildRelayApp();
  channel = await relay.addChannel();
});
afterAll(() => relay.close());

const charged = async (requestId: string): Promise<Charge> => {
  const row = await relay.logOf(requestId);
  const charge = v.parse(chargeSchema, await relay.root.data('GET', `/api/log/${String(row?.['id'])}/charge`));
  expect(charge.explained, JSON.stringify(charge)).toBe(true);
  expect(charge.quota).toBe((await relay.chargeOf(requestId))?.amount);
  expect(charge.quota).toBe(charge.steps.at(-1)?.quota);
  return charge;
};

const messages = [{ role: 'user', content: 'Say something.' }];
const usages: readonly unknown[] = [
  undefined,
  null,
  {},
  { prompt_tokens: -4, completion_tokens: 1e9 },
  { total_tokens: 90 },
];

test('RELAY-07 every charge of the relay is explained to the unit: plain and streamed, whatever the upstream reports', async () => {
  await relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 0.123456789 }));
  await relay.setOption('CompletionRatio', JSON.stringify({ [testModel]: 3.3 }));
  await relay.setOption('GroupRatio', JSON.stringify({ default: 1.07, vip: 0 }));
  const user = await relay.addUser();
  const vip = await relay.addUser({ user: { group: 'vip' } });
  await relay.addChannel({ group: 'vip' });
  for (const stream of [false, true]) {
    for (const usage of usages) {
      relay.upstream.behave(() => ({ usage, words: 40 }));
      const { requestId } = await relay.ask({ key: user.key, body: { messages, stream } });
      const charge = await charged(requestId);
      expect(charge.ratios).toEqual({ model: '0.123456789', completion: '3.3', group: '1.07' });
      const sources = charge.parts.map(({ source }) => source);
      expect(sources.every((source) => source === 'reported')).toBe(!charge.estimated);
      expect(charge.hold?.reserved).toBeGreaterThanOrEqual(charge.quota);
      expect(charge.attempts).toEqual([{ channel, status: 200, ms: charge.attempts[0]?.ms }]);
    }
    const free = await relay.ask({ key: vip.key, body: { messages, stream } });
    expect((await charged(free.requestId)).steps.at(-1)).toEqual({ rule: 'free', quota: 0 });
  }
});

test('RELAY-07 a stream that outlives its balance, one that is extended, and one that costs more than there is', async () => {
  await relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 1 }));
  const poor = await relay.addUser({ quota: 3000 });
  relay.upstream.behave(() => ({ words: 4000 }));
  const cut = await relay.ask({ key: poor.key, body: { messages, stream: true } });
  expect(await charged(cut.requestId)).toMatchObject({ cut: 'balance', estimated: true, unrecovered: 0 });
  const rich = await relay.addUser({ quota: 1_000_000 });
  const extended = await charged((await relay.ask({ key: rich.key, body: { messages, stream: true } })).requestId);
  expect(extended.hold?.extensions).toBeGreaterThan(0);
  expect(extended.hold?.beyond).toBe(0);
  const small = await relay.addUser({ quota: 500 });
  relay.upstream.behave(() => ({ usage: { prompt_tokens: 5000, completion_tokens: 5000 } }));
  const unpaid = await charged((await relay.ask({ key: small.key, body: { messages } })).requestId);
  expect(unpaid.steps.map(({ rule }) => rule)).toEqual(['round_up', 'collected']);
  expect(unpaid.quota + unpaid.unrecovered).toBe(unpaid.steps[0]?.quota);
});

test('RELAY-09 has the route of the call and the requested model', async () => {
  const broken = await relay.addUpstream();
  broken.behave(() => ({ status: 503, body: '{"error":{"message":"overloaded"}}' }));
  const model_mapping = JSON.stringify({ requested: testModel });
  const first = await relay.addChannel({
    base_url: broken.url,
    key: broken.key,
    models: 'requested',
    priority: 9,
    model_mapping,
  });
  const second = await relay.addChannel({ models: 'requested', model_mapping });
  await relay.setOption('RetryTimes', '1');
  relay.upstream.behave(() => undefined);
  const user = await relay.addUser();
  const { requestId } = await relay.ask({ key: user.key, body: { model: 'requested', messages } });
  const charge = await charged(requestId);
  expect(charge).toMatchObject({ model_name: testModel, requested_model: 'requested' });
  expect(charge.attempts.map(({ channel: id, status }) => [id, status])).toEqual([
    [first, 503],
    [second, 200],
  ]);
});

test('an administrator sees what a call cost its vendor and what is left of its charge, a user neither', async () => {
  const { app } = relay;
  const owner = await app.addUser('payer');
  const admin = await app.addUser('accountant', role.admin);
  const tokenId = await addToken(app.db, owner.id, { unlimited_quota: 1 });
  await setUser(app.db, owner.id, { available: 1_000 });
  const payer = { userId: owner.id, tokenId, channelId: channel, tokenLimited: false };
  for (const [quota, cost] of [
    [500, 1_500_001],
    [0, 0],
    [20, -1],
  ] as const)
    await addUse(app.db, payer, { user_id: owner.id, username: 'payer', quota, cost });
  const seen = v.parse(v.array(logSchema), await admin.data('GET', '/api/log/?username=payer'));
  expect(seen.map(({ quota, cost }) => [quota, cost])).toEqual([
    [20, null],
    [0, '0'],
    [500, '0.001500001'],
  ]);
  const told = await Promise.all(seen.map(({ id }) => admin.data('GET', `/api/log/${id}/charge`)));
  expect(told).toMatchObject([
    { cost: null, margin: null },
    { cost: '0', margin: '0' },
    { cost: '0.001500001', margin: '-0.000500001' },
  ]);
  const own = v.parse(v.array(logSchema), await owner.data('GET', '/api/log/self'));
  expect(own.map(({ quota }) => quota)).toEqual([20, 0, 500]);
  const shown = [...own, ...(await Promise.all(own.map(({ id }) => owner.data('GET', `/api/log/${id}/charge`))))];
  for (const record of shown) {
    expect(record).not.toHaveProperty('cost');
    expect(record).not.toHaveProperty('margin');
  }
});

test('LOG-04 an owner sees their own charge without its channels, an administrator any, other users none', async () => {
  const { app } = relay;
  const owner = await app.addUser('owner');
  const other = await app.addUser('other');
  const admin = await app.addUser('overseer', role.admin);
  const tokenId = await addToken(app.db, owner.id, { unlimited_quota: 1 });
  const payer = { userId: owner.id, tokenId, channelId: channel, tokenLimited: false };
  const detail = `{"attempts":[{"channel":${channel},"status":200,"ms":5}]}`;
  await addUse(app.db, payer, { user_id: owner.id, quota: 0, detail });
  await addNote(app.db, { user_id: owner.id, type: 1, content: 'topped up' });
  const rows = v.parse(v.array(logSchema), await owner.data('GET', '/api/log/self'));
  const [note, use] = rows.map(({ id }) => `/api/log/${id}/charge`);
  if (note === undefined || use === undefined) throw new Error('two rows were written');
  expect(await owner.data('GET', use)).toMatchObject({ quota: 0, attempts: [{ channel: 0, status: 200, ms: 5 }] });
  expect(await admin.data('GET', use)).toMatchObject({ attempts: [{ channel, status: 200, ms: 5 }] });
  expect(await other.refused('GET', use)).toBe('Record not found');
  expect(await owner.refused('GET', note)).toBe('Record not found');
  expect(await admin.refused('GET', '/api/log/999999999/charge')).toBe('Record not found');
  expect((await app.visitor().call('GET', use)).status).toBe(401);
});
