import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';
import type { RelayUser } from '../../../test/app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser({ allocation: 1_000_000 });
});
afterAll(() => relay.close());

const use = async (): Promise<void> => {
  expect((await relay.ask({ key: user.key })).status).toBe(200);
  await relay.settled();
};
const stat = (): Promise<unknown> => relay.root.data('GET', '/api/log/stat');
const records = (): Promise<unknown> => relay.root.data('GET', '/api/log/?type=2');

test('OPT-LogConsumeEnabled off, requests are charged but neither logged nor summed; clearing then removes earlier logs', async () => {
  await use();
  const logged = await stat();
  const { used } = await relay.tokenBalance(user.tokenId);
  expect(logged).toMatchObject({ quota: used });

  await relay.setOption('LogConsumeEnabled', 'false');
  await use();
  expect((await relay.tokenBalance(user.tokenId)).used).toBe(2 * used);
  expect(await stat()).toEqual(logged);
  expect(await records()).toHaveLength(1);

  const soon = Math.floor(Date.now() / 1000) + 10;
  expect(await relay.root.data('DELETE', `/api/log/?target_timestamp=${soon}`)).toBeGreaterThanOrEqual(1);
  expect(await records()).toEqual([]);
  expect(await stat()).toEqual({ quota: 0, token: 0 });
  expect((await relay.tokenBalance(user.tokenId)).used).toBe(2 * used);

  await relay.setOption('LogConsumeEnabled', 'true');
  await use();
  expect(await stat()).toEqual(logged);
  expect(await relay.disagreements()).toEqual([]);
});
