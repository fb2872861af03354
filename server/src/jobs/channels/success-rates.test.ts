import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp, until } from '../../../test/app/relay-app.ts';
import type { RelayUser } from '../../../test/app/relay-user.ts';
import { createSuccessRates } from './success-rates.ts';

test('a channel is rated by its latest calls, from the first full window on, and by each window once', () => {
  const rates = createSuccessRates({ calls: 4, least: 0.75 });
  const outcomes = (channelId: number, text: string) =>
    [...text].map((outcome) => (outcome === '+' ? rates.succeeded(channelId) : rates.failed(channelId)));
  expect(outcomes(1, '---')).toEqual([undefined, undefined, undefined]);
  expect(outcomes(2, '+++-+++-')).toEqual(Array.from({ length: 8 }));
  expect(outcomes(2, '+-')).toEqual([undefined, 0.5]);
  expect(outcomes(2, '---')).toEqual([undefined, undefined, undefined]);
  expect(outcomes(1, '-')).toEqual([0]);
});

let relay: RelayApp;
let user: RelayUser;
beforeAll(async () => {
  relay = await buildRelayApp({ successRule: { calls: 5, least: 0.8 }, testPrompt: 'Which model are you?' });
  user = await relay.addUser();
});
afterAll(() => relay.close());

const channel = (id: number) =>
  relay.app.db.read.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('RELAY-06 a channel whose calls succeed too rarely is disabled, though no option disables channels', async () => {
  const id = await relay.addChannel();
  const ask = async (times: number, status?: number) => {
    const answer = { status: status ?? 200, body: '{"error":{"message":"no"}}' };
    relay.upstream.behave(() => (status === undefined ? undefined : answer));
    for (let time = 0; time < times; time += 1) await relay.ask({ key: user.key });
  };
  await ask(4);
  await ask(5, 400);
  await relay.root.call('GET', `/api/channel/test/${id}`);
  await ask(1, 500);
  await relay.settled();
  expect(await channel(id)).toMatchObject({ status: 1 });
  await ask(1, 500);
  await until(async () => (await channel(id)).status === 3);
  expect((await channel(id)).status_reason).toBe('60% of the latest 5 calls succeeded; the minimum is 80%');
});

test('R2 RELAY-06 a stream that breaks off is one failure, and no success', async () => {
  const id = await relay.addChannel({ name: 'breaking' });
  relay.upstream.behave(() => ({ words: 9, endAfterEvents: 4 }));
  for (let time = 0; time < 5; time += 1) await relay.ask({ key: user.key, body: { stream: true } });
  await until(async () => (await channel(id)).status === 3);
  expect((await channel(id)).status_reason).toBe('0% of the latest 5 calls succeeded; the minimum is 80%');
});

test('CHAN-05 a channel test sends the prompt of the environment', async () => {
  const id = await relay.addChannel({ name: 'tested' });
  relay.upstream.behave(() => undefined);
  await relay.root.data('GET', `/api/channel/test/${id}`);
  expect(JSON.stringify(relay.upstream.journal().at(-1))).toContain('Which model are you?');
});
