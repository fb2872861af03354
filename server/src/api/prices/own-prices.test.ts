import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PricedModel, type PricedModels, pricedModelsSchema } from '@weir/contract/prices/own-prices';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { insertPriceBook } from '../../store/prices/price-books.ts';
import { buildRelayApp, type RelayApp, testModel } from '../../../test/app/relay-app.ts';
import type { RelayUser } from '../../../test/app/relay-user.ts';

let relay: RelayApp;
let user: RelayUser;
let channel: number;
const path = '/api/prices/own';

beforeAll(async () => {
  relay = await buildRelayApp();
  channel = await relay.addChannel({
    name: 'First',
    models: `${testModel},plain,alias,gpt-4.1`,
    model_mapping: '{"alias":"real-name"}',
  });
  user = await relay.addUser({ quota: 1_000_000_000 });
  relay.upstream.behave(() => ({ usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 } }));
});
afterAll(() => relay.close());
beforeEach(async () => {
  await relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 1 }));
});

const listed = async (query = ''): Promise<PricedModels> =>
  v.parse(pricedModelsSchema, await relay.root.data('GET', `/api/prices/models${query}`));
const modelOf = async (model: string): Promise<PricedModel> => {
  const found = (await listed()).models.find((each) => each.model === model);
  if (found === undefined) throw new Error(`${model} is not listed`);
  return found;
};
const put = (body: unknown) => relay.root.data('PUT', path, body);
const remove = (query: string) => relay.root.data('DELETE', `${path}?${query}`);
const card = (input: string, output: string, more = {}) => ({ rates: { input, output, ...more } });
/** Of 1,000 prompt and 100 completion tokens, in quota units. */
const chargeOf = async (model = testModel, key = user.key): Promise<number> => {
  const { requestId, status, body } = await relay.ask({ key, body: { model } });
  expect(status, body.toString()).toBe(200);
  return (await relay.chargeOf(requestId))?.amount ?? -1;
};

describe('own prices', () => {
  test('a price in dollars counts at the next call, in place of the ratio of the exact name, and leaves the others', async () => {
    await relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 1, [`${testModel}(8)`]: 3, other: 7.25 }));
    await relay.setOption('CompletionRatio', JSON.stringify({ [testModel]: 2, other: 2 }));
    await relay.setOption('PartRatio', JSON.stringify({ [`${testModel}:cache_read`]: 0.5, 'weir*:cache_read': 0.1 }));
    const answer = await put({ model: testModel, card: card('2', '8') });
    expect(answer).toEqual({
      removed_ratios: [
        `CompletionRatio ${testModel}`,
        `ModelRatio ${testModel}`,
        `ModelRatio ${testModel}(8)`,
        `PartRatio ${testModel}:cache_read`,
      ],
      overruled: [],
    });
    expect(await chargeOf()).toBe(1000 + 400);
    const stored = await relay.app.db.read.selectFrom('options').select(['key', 'value']).execute();
    const text = new Map(stored.map(({ key, value }) => [key, value]));
    expect(text.get('ModelRatio')).toBe('{"other":7.25}');
    expect(text.get('PartRatio')).toBe('{"weir*:cache_read":0.1}');
    expect(await modelOf(testModel)).toMatchObject({
      current: { source: 'own', rates: { input: '2', output: '8' }, ratios: { model: '1', completion: '4' } },
      own: [{ group: '', channel: 0, card: card('2', '8') }],
      ratios: null,
    });
    await relay.setOption('PartRatio', '{}');
    await remove(`model=${testModel}`);
    expect((await modelOf(testModel)).own).toEqual([]);
  });

  test('the list names what is sent to upstreams, its list price, its channels, groups and ratios', async () => {
    const entry = { vendor: 'openai', model: 'gpt-4.1', mode: 'chat', from: '2025-04-14' } as const;
    const book = { name: 'test', entries: [{ ...entry, price: card('2', '8', { cache_read: '0.5' }) }] };
    await relay.app.db.write
      .transaction()
      .execute((trx) => insertPriceBook(trx, { book, source: 'test', actorId: 0, at: 1 }));
    await put({ model: 'plain', card: card('1', '1') });
    await remove('model=plain');
    await relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 1, unsent: 4 }));
    const { models, groups, channels, quota_per_dollar: perDollar } = await listed();
    expect(models.map(({ model }) => model)).toEqual(['gpt-4.1', 'plain', 'real-name', 'unsent', testModel]);
    expect(channels).toEqual([{ id: channel, name: 'First' }]);
    expect(groups).toContainEqual({ name: 'default', ratio: '1' });
    expect(perDollar).toBe('500000');
    expect(models[0]).toMatchObject({
      channels: [channel],
      current: { source: 'maker', vendor: 'openai', rates: { input: '2', output: '8', cache_read: '0.5' } },
      list: { vendor: 'openai', model: 'gpt-4.1', from: '2025-04-14' },
    });
    expect(models[3]).toMatchObject({ channels: [], ratios: { model: '4', parts: {} }, current: { source: 'ratio' } });
    expect((await listed('?model=plain')).models.map(({ model }) => model)).toEqual(['plain']);
    expect((await listed('?model=not%20offered')).models).toMatchObject([{ model: 'not offered', channels: [] }]);
  });

  test('models without a price are named: those that are sent, and those that a channel would send', async () => {
    const unpriced = await relay.root.data('GET', '/api/prices/unpriced');
    expect(unpriced).toEqual({ rule: 'fallback', models: ['plain', 'real-name'] });
    await relay.setOption('UnpricedModels', 'refuse');
    await put({ model: 'llama', channel, card: card('0', '0') });
    const find = (body: object) => relay.root.data('POST', '/api/prices/unpriced', { type: 30, ...body });
    expect(await find({ models: `llama, ${testModel},mixtral-own,,gpt-4` })).toEqual({
      rule: 'refuse',
      models: ['llama', 'mixtral-own'],
    });
    expect(await find({ models: 'llama,mixtral-own', channel })).toMatchObject({ models: ['mixtral-own'] });
    expect(await relay.root.refused('POST', '/api/prices/unpriced', { type: 'x' })).toContain('type');
    await remove(`model=llama&channel=${channel}`);
    await relay.setOption('UnpricedModels', 'fallback');
  });

  test('the price of a group and channel goes before that of the group, of the channel, and of all', async () => {
    await relay.setOption('GroupRatio', JSON.stringify({ default: 2, vip: 3 }));
    const vip = await relay.addUser({ user: { group: 'vip' }, quota: 1_000_000_000 });
    await relay.root.data('PUT', '/api/channel/', { id: channel, group: 'default,vip' });
    const scopes = [{}, { channel }, { group: 'vip' }, { group: 'vip', channel }];
    const prices = scopes.map((scope, index) => ({ model: 'plain', ...scope, card: card(String(index + 1), '0') }));
    const expected = [
      [1, 1],
      [2, 2],
      [2, 3],
      [2, 4],
    ];
    for (const [index, price] of prices.entries()) {
      await put(price);
      const [ofDefault = 0, ofVip = 0] = expected[index] ?? [];
      expect(await chargeOf('plain')).toBe(500 * ofDefault * 2);
      // The price of a group is what the group pays: its ratio is not applied to it again.
      expect(await chargeOf('plain', vip.key)).toBe(500 * ofVip * (index < 2 ? 3 : 1));
    }
    expect((await modelOf('plain')).own).toHaveLength(4);
    await remove('model=plain&group=vip');
    await remove(`model=plain&group=vip&channel=${channel}`);
    await remove(`model=plain&channel=${channel}`);
    expect(await remove('model=plain')).toBe(1);
    expect(await relay.root.refused('DELETE', `${path}?model=plain`)).toBe('Record not found');
    await relay.setOption('GroupRatio', JSON.stringify({ default: 1, vip: 1 }));
  });

  test('a price of a time to come counts from then on, and can be taken back alone', async () => {
    await put({ model: 'plain', card: card('1', '1') });
    const soon = Math.floor(relay.app.clock.now() / 1000) + 60;
    await put({ model: 'plain', from: soon, card: card('10', '10') });
    await put({ model: 'plain', from: soon + 60, card: card('20', '20') });
    expect(await chargeOf('plain')).toBe(550);
    expect((await modelOf('plain')).own).toHaveLength(3);
    await relay.root.data('DELETE', `${path}?model=plain&from=${soon + 60}`);
    relay.app.clock.advance(61_000);
    expect(await chargeOf('plain')).toBe(5500);
    await put({ model: 'plain', card: card('3', '3') });
    expect((await modelOf('plain')).own.map((each) => each.card)).toEqual([card('3', '3')]);
    await remove('model=plain');
  });

  test('many prices are one change: all of them, or none where one is wrong, with the member named', async () => {
    const prices = Array.from({ length: 300 }, (_, index) => ({ model: `many-${index}`, card: card('0', '0') }));
    const many = `${path}/many`;
    const refused = (change: unknown) => relay.root.refused('PUT', many, { prices: [...prices, change] });
    expect(await refused({ model: 'm', card: { rates: { input: 'ten', output: '1' } } })).toContain(
      'prices.300.card.rates.input is malformed',
    );
    expect(await refused({ model: 'm', card: { rates: { input: '-1', output: '1' } } })).toContain('card.rates.input');
    expect(await refused({ model: 'm', card: {} })).toContain('prices.300.card');
    expect(await refused({ model: '', card: card('1', '1') })).toContain('prices.300.model');
    expect(await refused({ model: 'm', group: 'unlisted', card: card('1', '1') })).toContain(
      'prices.300.group is not one of the choices',
    );
    expect(await refused({ model: 'm', channel: 4711, card: card('1', '1') })).toContain('prices.300.channel');
    const tooMany = Array.from({ length: 1001 }, () => ({ model: 'm', card: card('1', '1') }));
    expect(await relay.root.refused('PUT', many, { prices: tooMany })).toContain('prices');
    expect((await listed()).models.some(({ model }) => model.startsWith('many-'))).toBe(false);
    await relay.root.data('PUT', many, { prices });
    expect((await listed()).models.filter(({ model }) => model.startsWith('many-'))).toHaveLength(300);
    const audited = await relay.app.db.read
      .selectFrom('audit')
      .select(['subject', 'detail'])
      .where('action', '=', 'set_price')
      .where('subject', '=', 'many-299')
      .execute();
    expect(audited).toEqual([
      { subject: 'many-299', detail: 'all groups, all channels: no own price -> input $0 output $0' },
    ]);
  });

  const auditOf = async (subject: string): Promise<string[]> => {
    const rows = await relay.app.db.read
      .selectFrom('audit')
      .select(['action', 'detail'])
      .where('subject', '=', subject)
      .orderBy('id')
      .execute();
    return rows.map(({ action, detail }) => `${action} ${detail}`);
  };

  test('the audit log has each change with the price before and after, and the ratios that it removed', async () => {
    const model = 'audited';
    await relay.setOption('ModelRatio', JSON.stringify({ [testModel]: 1, [model]: 2.5 }));
    await put({ model, card: card('1', '2', { cache_read: '0.1' }) });
    const tiers = [{ above: 200_000, input: '3' }];
    const hours = { zone: 'Asia/Shanghai', windows: [{ days: [6, 7], from: '00:00', to: '24:00', factor: '0.5' }] };
    const volume = { zone: 'UTC', steps: [{ above: 1_000_000, factor: '0.9' }] };
    await put({ model, card: { ...card('1.5', '2'), tiers, hours, volume } });
    await put({ model, from: 4_000_000_000, card: { units: { image: '0.04' } } });
    await put({ model, from: 4_000_000_000, card: card('5', '6') });
    await remove(`model=${model}`);
    const [first, second, third, fourth, ...removed] = await auditOf(model);
    expect(first).toBe(
      'set_price all groups, all channels: no own price -> input $1 output $2 cache_read $0.1: removed ModelRatio audited 2.5',
    );
    const dear =
      'input $1.5 output $2; above 200000: input $3; x0.5 00:00-24:00 on days 67 Asia/Shanghai; x0.9 above 1000000 a month';
    expect(second).toBe(`set_price all groups, all channels: input $1 output $2 cache_read $0.1 -> ${dear}`);
    expect(third).toBe(
      'set_price all groups, all channels: from 2096-10-02T07:06:40.000Z: no own price -> $0.04 per image',
    );
    expect(fourth).toContain('$0.04 per image -> input $5 output $6');
    expect(removed).toHaveLength(2);
    expect(removed[0]).toContain(`${dear} -> no own price`);
    expect(removed[1]).toBe(
      'remove_price all groups, all channels: from 2096-10-02T07:06:40.000Z: input $5 output $6 -> no own price',
    );
  });

  test('of prices that are set at once one stands, whole, and each entry of the audit log follows the one before', async () => {
    const model = 'disputed';
    const amounts = Array.from({ length: 12 }, (_, index) => String(index + 1));
    // They come in different seconds, as at the turn of one.
    const seconds = setInterval(() => relay.app.clock.advance(1000), 1);
    await Promise.all(amounts.map((amount) => put({ model, card: card(amount, amount) })));
    clearInterval(seconds);
    const found = (await listed(`?model=${model}`)).models[0];
    expect(found?.own).toHaveLength(1);
    const input = found?.own[0]?.card.rates?.input ?? '';
    const steps = (await auditOf(model)).map((detail) => /channels: (.+) -> (.+)$/.exec(detail) ?? []);
    expect(steps).toHaveLength(amounts.length);
    expect(steps[0]?.[1]).toBe('no own price');
    for (const [index, [, before]] of steps.slice(1).entries()) expect(before).toBe(steps[index]?.[2]);
    expect(steps.at(-1)?.[2]).toBe(`input $${input} output $${input}`);
    const both = await Promise.all([
      relay.root.call('DELETE', `${path}?model=${model}`),
      relay.root.call('DELETE', `${path}?model=${model}`),
    ]);
    expect(both.filter(({ json }) => JSON.stringify(json).includes('"success":true'))).toHaveLength(1);
  });

  test('bad input is refused with the member, and nothing is written', async () => {
    const refused = (body: unknown, method = 'PUT', to = path) => relay.root.refused(method, to, body);
    const model = 'bad';
    const whole = card('1', '1');
    const hours = (change: object) => ({
      ...whole,
      hours: { zone: 'UTC', windows: [{ from: '22:00', to: '06:00', factor: '0.5', ...change }] },
    });
    for (const [body, member] of [
      [{}, 'model'],
      [{ model: 'x'.repeat(201), card: whole }, 'model'],
      [{ model }, 'card'],
      [{ model, card: { rates: { input: '1' } } }, 'card.rates.output'],
      [{ model, card: { rates: { input: 1, output: 1 } } }, 'card.rates.input'],
      [{ model, card: { rates: { input: '1e3', output: '1' } } }, 'card.rates.input'],
      [{ model, card: { rates: { input: `0.${'1'.repeat(16)}`, output: '1' } } }, 'card.rates.input'],
      [{ model, card: { rates: { input: '1000000000', output: '1' } } }, 'card.rates.input'],
      [{ model, card: { ...whole, tiers: [{ above: 0, input: '1' }] } }, 'card.tiers.0.above'],
      [{ model, card: { ...whole, tiers: Array.from({ length: 9 }, () => ({ above: 1 })) } }, 'card.tiers'],
      [{ model, card: hours({ from: '25:00' }) }, 'card.hours.windows.0.from'],
      [{ model, card: hours({ factor: '-1' }) }, 'card.hours.windows.0.factor'],
      [{ model, card: hours({ days: [8] }) }, 'card.hours.windows.0.days.0'],
      [{ model, card: { ...whole, hours: { zone: 'Mars/Olympus', windows: [] } } }, 'card.hours.zone'],
      [{ model, card: { ...whole, volume: { zone: 'UTC', steps: [{ above: -1, factor: '1' }] } } }, 'card.volume'],
      [{ model, card: { rates: { input: '1', output: '0', reasoning: '1' } } }, 'card'],
      [{ model, card: whole, channel: -1 }, 'channel'],
      [{ model, card: whole, from: 1e15 }, 'from'],
    ] as const)
      expect(await refused(body), JSON.stringify(body)).toContain(member);
    expect(await refused({ prices: [] }, 'PUT', `${path}/many`)).toContain('prices');
    expect((await listed(`?model=${model}`)).models[0]?.own).toEqual([]);
    expect(await auditOf(model)).toEqual([]);
    for (const query of ['model=bad', 'model=plain&channel=4711', 'model=plain&from=17'])
      expect(await relay.root.refused('DELETE', `${path}?${query}`)).toBe('Record not found');
    expect(await relay.root.refused('DELETE', `${path}?model=plain&channel=x`)).toBe('Invalid parameter');
  });

  test('a running call keeps its price, and old charges keep theirs', async () => {
    await put({ model: 'plain', card: card('1', '1') });
    const before = await relay.ask({ key: user.key, body: { model: 'plain' } });
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
    relay.upstream.behave(() => {
      arrive();
      return { until: changed, usage };
    });
    const running = relay.ask({ key: user.key, body: { model: 'plain' } });
    await arrived;
    await put({ model: 'plain', card: card('100', '100') });
    resolve();
    expect((await relay.chargeOf((await running).requestId))?.amount).toBe(550);
    expect(await chargeOf('plain')).toBe(55_000);
    expect((await relay.chargeOf(before.requestId))?.amount).toBe(550);
    const row = await relay.logOf(before.requestId);
    expect(await relay.root.data('GET', `/api/log/${String(row?.['id'])}/charge`)).toMatchObject({
      explained: true,
      price: { source: 'own' },
      ratios: { model: '0.5' },
    });
    relay.upstream.behave(() => ({ usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 } }));
    await remove('model=plain');
  });

  test('where a ratio of the exact name still counts, the answer says that the price of one group does not', async () => {
    await relay.setOption('GroupRatio', JSON.stringify({ default: 1, vip: 1 }));
    const answer = await put({ model: testModel, group: 'vip', card: card('1', '1') });
    expect(answer).toEqual({ removed_ratios: [], overruled: [testModel] });
    expect((await modelOf(testModel)).current.source).toBe('ratio');
    await remove(`model=${testModel}&group=vip`);
  });

  test('administrators read prices, root alone writes them, users do neither', async () => {
    const admin = await relay.app.addUser('price-admin', role.admin);
    const plain = await relay.app.addUser('price-user', role.user);
    const body = { model: 'm', card: card('1', '1') };
    await admin.data('GET', '/api/prices/models');
    for (const [who, method, to] of [
      [admin, 'PUT', path],
      [admin, 'PUT', `${path}/many`],
      [admin, 'DELETE', `${path}?model=m`],
      [plain, 'PUT', path],
      [plain, 'GET', '/api/prices/models'],
      [plain, 'GET', '/api/prices/unpriced'],
      [plain, 'POST', '/api/prices/unpriced'],
    ] as const)
      expect(await who.refused(method, to, method === 'GET' ? undefined : body)).toContain('insufficient permission');
    for (const [method, to] of [
      ['GET', '/api/prices/models'],
      ['GET', '/api/prices/unpriced'],
      ['POST', '/api/prices/unpriced'],
      ['PUT', path],
      ['PUT', `${path}/many`],
      ['DELETE', `${path}?model=m`],
    ] as const)
      expect((await relay.app.visitor().call(method, to, method === 'GET' ? {} : { body })).status).toBe(401);
  });
});
