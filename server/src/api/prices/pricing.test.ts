import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pricing, pricingSchema } from '@weir/contract/prices/pricing';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { setUser } from '../../../test/database/accounts.ts';
import { buildRelayApp, testModel, type RelayApp } from '../../../test/app/relay-app.ts';

let relay: RelayApp;

beforeAll(async () => {
  relay = await buildRelayApp();
  await relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 0.5, dear: 10, 'dall-e-3': 20 }));
  await relay.setOption('CompletionRatio', JSON.stringify({ [testModel]: 3, dear: 1.5 }));
  await relay.setOption('GroupRatio', JSON.stringify({ default: 1, vip: 0.8 }));
  await relay.setOption('PartRatio', JSON.stringify({ [`${testModel}:cache_read`]: 0.1, 'weir*:reasoning': 2 }));
  await relay.addChannel({ models: `${testModel},dall-e-3,unheard-of`, group: 'default,vip' });
  await relay.addChannel({ models: testModel, model_mapping: JSON.stringify({ [testModel]: 'dear' }) });
});
afterAll(() => relay.close());

const pricing = async (query = '', who = relay.root): Promise<Pricing> =>
  v.parse(pricingSchema, await who.data('GET', `/api/pricing${query}`));

test('RELAY-07 the price list names every model of the group at what the relay charges, parts included', async () => {
  const { group, models } = await pricing();
  expect(group).toBe('default');
  expect(models.map(({ model, unit, channels }) => [model, unit, channels])).toEqual([
    ['dall-e-3', 'image', 1],
    ['unheard-of', 'token', 1],
    [testModel, 'token', 2],
  ]);
  expect(models[0]?.maker).toBe('OpenAI');
  expect(models[2]?.sent).toEqual([testModel, 'dear']);
  expect(models[2]?.prices).toEqual([
    {
      input: 500_000,
      output: 1_500_000,
      parts: [
        { part: 'cache_read', quota: 50_000 },
        { part: 'reasoning', quota: 3_000_000 },
      ],
      ratios: { model: '0.5', completion: '3', group: '1' },
      priced: true,
    },
    {
      input: 10_000_000,
      output: 15_000_000,
      parts: [],
      ratios: { model: '10', completion: '1.5', group: '1' },
      priced: true,
    },
  ]);
  expect(models[1]?.prices).toMatchObject([{ input: 30_000_000, priced: false }]);

  // The listed price is the price of a call.
  const vipUser = await relay.addUser({ user: { group: 'vip' } });
  relay.upstream.behave(() => ({ usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 } }));
  const { requestId } = await relay.ask({ key: vipUser.key });
  const [vip] = (await pricing('?group=vip')).models.filter(({ model }) => model === testModel);
  const { input = 0, output = 0 } = vip?.prices[0] ?? {};
  expect((await relay.chargeOf(requestId))?.amount).toBe(Math.ceil((input * 1000 + output * 100) / 1_000_000));
});

test('a user sees the prices of the own group alone, and not how many channels there are', async () => {
  const user = await relay.app.addUser('carol', role.user);
  await setUser(relay.app.db, user.id, { group: 'vip' });
  const { group, models } = await pricing('', user);
  expect(group).toBe('vip');
  expect(models.map(({ model, channels }) => [model, channels])).toEqual([
    ['dall-e-3', 0],
    ['unheard-of', 0],
    [testModel, 0],
  ]);
  const answer = await user.call('GET', '/api/pricing?group=default');
  expect(answer.json).toEqual({ success: false, message: 'Not permitted: insufficient permission' });
  expect((await pricing('?group=unknown')).models).toEqual([]);
});

test('the price list has what each model can on all of its channels, and the end of the last', async () => {
  await relay.addChannel({ type: 14, models: 'claude-sonnet-4-5' });
  await relay.addChannel({ type: 1, models: 'gpt-5.5,shared', model_mapping: '{"shared":"gpt-image-1.5"}' });
  await relay.addChannel({ type: 1, models: 'shared', model_mapping: '{"shared":"gpt-5.1"}' });
  const user = await relay.app.addUser('reader');
  const { models } = await pricing('', user);
  const facts = (name: string) => {
    const { context, output, can, ends, maker } = models.find(({ model }) => model === name) ?? {};
    return { context, output, can, ends, maker };
  };
  expect(facts('claude-sonnet-4-5')).toEqual({
    context: 200_000,
    output: 64_000,
    can: ['tools', 'vision', 'reasoning', 'pdf', 'cache', 'json_schema'],
    ends: '2026-11-30',
    maker: 'Anthropic Claude',
  });
  expect(facts('gpt-5.5')).toMatchObject({ maker: 'OpenAI', ends: undefined });
  // One of its channels goes on for longer.
  expect(facts('shared')).toMatchObject({ ends: '2027-04-01' });
  expect(facts('unheard-of')).toEqual({
    context: undefined,
    output: undefined,
    can: undefined,
    ends: undefined,
    maker: '',
  });
});

test('a price in dollars is listed with tiers, hours, volume steps and pieces, at what the group pays', async () => {
  const channel = await relay.addChannel({ models: 'carded,pieces,half-free', group: 'default,vip' });
  await relay.setOption('QuotaPerUnit', '500000');
  const put = (model: string, card: object, more = {}) =>
    relay.root.data('PUT', '/api/prices/own', { model, card, ...more });
  const zone = 'UTC';
  const hours = { zone, windows: [{ from: '00:00', to: '24:00', factor: '0.5' }] };
  const volume = { zone, steps: [{ above: 1_000_000, factor: '0.9' }] };
  const rates = { input: '1', output: '4', cache_read: '0.25' };
  const tiers = [
    { above: 272_000, input: '4' },
    { above: 200_000, input: '2', output: '6' },
  ];
  await put('carded', { rates, tiers, hours, volume });
  await put('pieces', { units: { image: '0.04', search: '0.01' } });
  await put('half-free', { rates: { input: '0', output: '2', cache_read: '0.5' } });
  const priceOf = async (model: string, query = '') =>
    (await pricing(query)).models.find((each) => each.model === model)?.prices;
  const cached = (quota: number) => [{ part: 'cache_read', quota }];
  // Without the half of now; parts that a tier does not name keep their relation to the prompt.
  expect(await priceOf('carded', '?group=vip')).toMatchObject([
    {
      input: 400_000,
      output: 1_600_000,
      parts: cached(100_000),
      tiers: [
        { above: 200_000, input: 800_000, output: 2_400_000, parts: cached(200_000) },
        { above: 272_000, input: 1_600_000, output: 1_600_000, parts: cached(400_000) },
      ],
      hours,
      factor: '0.5',
      volume,
    },
  ]);
  expect(await priceOf('pieces', '?group=vip')).toMatchObject([
    { units: { image: 16_000, search: 4000 }, by_piece: true },
  ]);
  expect(await priceOf('half-free')).toMatchObject([{ input: 0, output: 1_000_000, parts: cached(250_000) }]);
  // What only one channel or group pays.
  await put('pieces', { units: { image: '0.01' } }, { channel, group: 'vip' });
  expect(await priceOf('pieces', '?group=vip')).toMatchObject([{ units: { image: 5000 } }]);
  // The same price from another source is one price.
  await relay.addChannel({ models: 'carded', group: 'default' });
  await put('carded', { rates, tiers, hours, volume }, { channel });
  expect(await priceOf('carded')).toHaveLength(1);
});
