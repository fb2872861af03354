import { chargeSchema } from '@weir/contract/prices/charges';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp, testModel, until } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

/** 1,000 prompt tokens a call at $1 a million: 500 quota units at the full price. */
const usage = { prompt_tokens: 1000, completion_tokens: 0, total_tokens: 1000 };
const steps = [
  { above: 1999, factor: '0.5' },
  { above: 3999, factor: '0.1' },
];

let relay: RelayApp;
let user: RelayUser;
beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  await relay.setOption('QuotaPerUnit', '500000');
  const card = { rates: { input: '1', output: '0' }, volume: { zone: 'Asia/Kathmandu', steps } };
  await relay.root.data('PUT', '/api/prices/own', { model: testModel, card });
  relay.upstream.behave(() => ({ usage }));
  user = await relay.addUser({ quota: 1_000_000 });
});
afterAll(() => relay.close());

const ask = async (caller: RelayUser) => {
  const { headers } = await relay.ask({ key: caller.key });
  return String(headers['x-oneapi-request-id']);
};
const paid = async (caller: RelayUser): Promise<number | undefined> =>
  (await relay.chargeOf(await ask(caller)))?.amount;

test('a volume step prices the calls that are admitted after the tokens of the month passed it', async () => {
  const amounts = [];
  for (let call = 0; call < 6; call += 1) amounts.push(await paid(user));
  expect(amounts).toEqual([500, 500, 250, 250, 50, 50]);
  // Each account has a volume of its own.
  expect(await paid(await relay.addUser({ quota: 1_000_000 }))).toBe(500);
  expect(await relay.disagreements()).toEqual([]);
});

test('the record of a charge tells the volume step, and the price of the call follows from it', async () => {
  const row = await relay.logOf(await ask(user));
  const charge = v.parse(chargeSchema, await relay.root.data('GET', `/api/log/${String(row?.['id'])}/charge`));
  expect(charge).toMatchObject({ explained: true, quota: 50, price: { source: 'own', volume: 3999, factor: '0.1' } });
});

test('calls that run at once have the step of their admission, whatever order they end in', async () => {
  const other = await relay.addUser({ quota: 1_000_000 });
  expect(await paid(other)).toBe(500);
  const { promise, resolve } = Promise.withResolvers<void>();
  relay.upstream.behave(() => ({ usage, until: promise }));
  const calls = Array.from({ length: 20 }, () => ask(other));
  await until(() => relay.upstream.running() === 20);
  resolve();
  const amounts = await Promise.all((await Promise.all(calls)).map((id) => relay.chargeOf(id)));
  expect(amounts.map((charge) => charge?.amount)).toEqual(Array.from({ length: 20 }, () => 500));
  relay.upstream.behave(() => ({ usage }));
  expect(await paid(other)).toBe(50);
});

test('a volume begins anew with the month of the zone', async () => {
  const monthMs = 31 * 86_400_000;
  relay.app.clock.advance(monthMs);
  const amounts = [await paid(user), await paid(user), await paid(user)];
  expect(amounts).toEqual([500, 500, 250]);
});
