import { chargeSchema, type Charge } from '@weir/contract/prices/charges';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, testModel, type RelayApp } from '../../app/relay-app.ts';
import type { RelayUser } from '../../app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.addChannel();
  user = await relay.addUser();
});
afterAll(() => relay.close());

const usage = {
  prompt_tokens: 1000,
  completion_tokens: 200,
  total_tokens: 1200,
  prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 100 },
  completion_tokens_details: { reasoning_tokens: 50 },
};

const charged = async (stream: boolean): Promise<Charge> => {
  relay.upstream.behave(() => ({ usage }));
  const { requestId } = await relay.ask({ key: user.key, body: { stream } });
  const row = await relay.logOf(requestId);
  expect(row).toMatchObject({ prompt_tokens: 1000, completion_tokens: 200 });
  const charge = v.parse(chargeSchema, await relay.root.data('GET', `/api/log/${String(row?.['id'])}/charge`));
  expect(charge.explained, JSON.stringify(charge)).toBe(true);
  return charge;
};

test.each([false, true])(
  'OPT-PartRatio RELAY-07 without a ratio parts cost what the others cost, stream: %s',
  async (stream) => {
    await relay.setOption('PartRatio', '{}');
    const { quota, parts } = await charged(stream);
    expect(quota).toBe(1000 + 2 * 200);
    expect(parts.map(({ part }) => part)).toEqual(['prompt', 'completion']);
  },
);

test.each([false, true])(
  'OPT-PartRatio RELAY-07 cached, written and reasoning tokens cost what the option says, from the next call on, stream: %s',
  async (stream) => {
    const ratios = { 'weir-*:cache_read': 0.1, [`${testModel}:cache_write`]: 1.25, '*:reasoning': 4 };
    await relay.setOption('PartRatio', JSON.stringify(ratios));
    const { quota, parts } = await charged(stream);
    expect(quota).toBe(300 + 600 * 0.1 + 100 * 1.25 + 2 * (150 + 50 * 4));
    expect(parts.map(({ part, tokens, weight }) => [part, tokens, weight])).toEqual([
      ['prompt', 300, '1'],
      ['completion', 150, '2'],
      ['cache_read', 600, '0.1'],
      ['cache_write', 100, '1.25'],
      ['reasoning', 50, '8'],
    ]);
  },
);

test('OPT-PartRatio a table that names no part is refused, and the one before stays', async () => {
  await relay.setOption('PartRatio', '{"a:cache_read":0.5}');
  for (const value of ['{', '[]', '{"a":1}', '{"a:cached":1}', '{"a:cache_read":-1}', '{"a:cache_read":"1"}']) {
    expect(await relay.root.refused('PUT', '/api/option/', { key: 'PartRatio', value }), value).toContain('Part ratio');
  }
  const options = await relay.root.data('GET', '/api/option/');
  expect(options).toContainEqual({ key: 'PartRatio', value: '{"a:cache_read":0.5}' });
});
