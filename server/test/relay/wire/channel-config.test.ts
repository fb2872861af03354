import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  user = await relay.addUser();
});
afterAll(() => relay.close());

const configured = (id: number, config: object) => relay.changeChannel(id, { config: JSON.stringify(config) });

test('RELAY-05 a channel’s own time-outs count, for the first byte, for silence and for the whole answer', async () => {
  const id = await relay.addChannel({ models: 'slow' });
  const stalled = Promise.withResolvers<void>();
  const ask = (members: object) => relay.ask({ key: user.key, body: { model: 'slow', ...members } });

  await configured(id, { first_byte_seconds: 1 });
  relay.upstream.behave(() => ({ until: stalled.promise }));
  const first = await ask({});
  expect([first.status, first.error['code']]).toEqual([504, 'upstream_timeout']);

  await configured(id, { idle_seconds: 1 });
  relay.upstream.behave(() => ({ pause: { afterEvents: 2, until: stalled.promise } }));
  const idle = await ask({ stream: true });
  expect([idle.status, idle.complete]).toEqual([200, false]);
  expect(idle.text).toContain('upstream_timeout');

  await configured(id, { total_seconds: 1 });
  relay.upstream.behave(() => ({ words: 1000, eventDelayMs: 20 }));
  const total = await ask({ stream: true });
  expect([total.status, total.complete]).toEqual([200, false]);
  expect(total.text).toContain('upstream_timeout');

  stalled.resolve();
  relay.upstream.behave(() => undefined);
  await configured(id, {});
  expect((await ask({})).status).toBe(200);
});

test('CHAN-15 with multi_key several lines are the keys of one channel, and every one of them is used', async () => {
  await relay.setOption('RetryTimes', '0');
  const other = await relay.addUpstream({ key: 'sk-second-key' });
  const key = `${relay.upstream.key}\n\n sk-second-key \n${relay.upstream.key}`;
  const id = await relay.addChannel({ models: 'many', key, config: JSON.stringify({ multi_key: true }) });
  const rows = await relay.app.db.read.selectFrom('channels').select('id').where('models', '=', 'many').execute();
  expect(rows).toEqual([{ id }]);
  const statuses = async (): Promise<readonly number[]> => {
    const pending = Array.from({ length: 40 }, () => relay.ask({ key: user.key, body: { model: 'many' } }));
    return (await Promise.all(pending)).map(({ status }) => status).toSorted((a, b) => a - b);
  };
  // The first upstream takes the first key alone: by chance all 40 have one key once in 10^12 runs.
  const both = await statuses();
  expect([both[0], both.at(-1)]).toEqual([200, 401]);

  // Without the member only the first key is left, and a new text may have several again.
  await configured(id, {});
  expect(await statuses()).toEqual(Array(40).fill(200));
  await relay.changeChannel(id, { key: 'sk-second-key\nsk-second-key', base_url: other.url });
  expect(await statuses()).toEqual(Array(40).fill(200));
});

test('RELAY-05 a config that cannot be used is refused, and says which member is wrong', async () => {
  const id = await relay.addChannel({ models: 'checked' });
  const refuse = (config: string) => relay.root.refused('PUT', '/api/channel/', { id, config });
  expect(await refuse('[]')).toBe('Channel config must be a JSON object');
  expect(await refuse('{"idle_seconds":0}')).toContain('idle_seconds must be at least 1');
  expect(await refuse('{"total_seconds":21601}')).toContain('total_seconds must be at most 21600');
  expect(await refuse('{"first_byte_seconds":1.5}')).toContain('first_byte_seconds must be a whole number');
  expect(await refuse('{"multi_key":"yes"}')).toContain('multi_key has the wrong type');
  expect(await refuse('{"cost_factor":-0.5}')).toContain('cost_factor must be at least 0');
  expect(await refuse('{"cost_factor":11}')).toContain('cost_factor must be at most 10');
  expect(await refuse('{"cost_factor":"0,8"}')).toContain('cost_factor is malformed');
  await configured(id, { region: 'eu-west-1', user_id: '7', affinity: false });
});
