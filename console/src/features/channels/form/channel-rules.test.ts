import type { Channel } from '@weir/contract/channels';
import { vendorList } from '@weir/contract/catalogue/vendors';
import { expect, test } from 'vitest';
import type { Language } from '../../../lib/browser/locale.ts';
import { balanceText } from '../list/balance-text.ts';
import { fieldsOfType } from './vendor-fields.ts';
import { bandOf, passes, statusOf } from '../channel-status.ts';
import {
  blankChannel,
  fieldsOf,
  isBasicModel,
  keysIn,
  mappingExample,
  problemOf,
  typeChange,
  valuesOf,
} from './channel-values.ts';
import type { ChannelsSearch } from '../list/channels-search.ts';
import { typeChoices } from './type-choices.ts';

const channelRow: Channel = {
  id: 1,
  type: 1,
  key: '',
  status: 1,
  name: 'Main',
  weight: 0,
  created_time: 0,
  test_time: 0,
  response_time: 0,
  base_url: '',
  other: '',
  balance: 0,
  balance_updated_time: 0,
  models: 'gpt-4o',
  group: 'default',
  used_quota: 0,
  model_mapping: '',
  priority: 0,
  config: '',
  system_prompt: '',
};

const complete = { ...blankChannel, name: 'Main', models: 'gpt-4o' };

test('CHAN-03 rates response times by the specified limits', () => {
  const tones = [0, 1, 1000, 1001, 3000, 3001, 5000, 5001].map((ms) => bandOf(ms).tone);
  expect(tones).toEqual(['off', 'ok', 'ok', 'olive', 'olive', 'warn', 'warn', 'bad']);
});

test('CHAN-04 labels every status, also unknown ones', () => {
  expect([1, 2, 3, 0, 9].map((status) => statusOf(status)[0]())).toEqual([
    'Enabled',
    'Disabled',
    'Auto-disabled',
    'Unknown',
    'Unknown',
  ]);
});

test('CHAN-01 C13 filters channels by view, type, group, model and the time of their last test', () => {
  const channel = { id: 4, type: 8, status: 1, group: 'default,vip', models: 'gpt-4o,o3', response_time: 3000 };
  const kept: readonly ChannelsSearch[] = [{ view: 'enabled' }, { type: 8 }, { group: 'vip' }, { model: 'o3' }];
  for (const search of [{}, ...kept, { took: '<3' }, { took: '>2.5' }]) expect(passes(channel, search)).toBe(true);
  const dropped: readonly ChannelsSearch[] = [{ view: 'slow' }, { type: 1 }, { group: 'vi' }, { model: 'o' }];
  for (const search of [...dropped, { took: '>3' }, { group: 'vip', took: '<1' }])
    expect(passes(channel, search)).toBe(false);
  expect(passes({ ...channel, response_time: 0 }, { took: '<3' })).toBe(false);
  const traffic = { id: 4, succeeded: 9, failed: 1, hour_succeeded: 0, hour_failed: 0, requests: 9, quota: 9 };
  expect(passes(channel, { view: 'failing' }, new Map([[4, traffic]]))).toBe(true);
  expect(passes(channel, { view: 'failing' }, new Map([[4, { ...traffic, failed: 0 }]]))).toBe(false);
  expect(passes(channel, { view: 'failing' })).toBe(false);
});

test('CHAN-10 C7 R51 shows a balance in its currency, or in the unit of its type', () => {
  const display = { perUnit: 500_000, inCurrency: true };
  const shown = (type: number) => balanceText({ type, balance: 1_000_000 }, display);
  expect([1, 8].map(shown)).toEqual(['$1000000.00', '$1000000.00']);
  for (const type of [4, 12, 25, 36, 44]) expect(shown(type), `type ${type}`).toBe('¥1000000.00');
  expect(shown(5)).toBe('¥100.00');
  expect([10, 13].map(shown)).toEqual(['$2.00', '$2.00']);
  expect([14, 3, 999].map(shown)).toEqual([undefined, undefined, undefined]);
  const inCurrency = (type: number, balance_currency: string) =>
    balanceText({ type, balance: 9.5, balance_currency }, display);
  expect([inCurrency(36, 'USD'), inCurrency(25, 'CNY'), inCurrency(14, 'USD')]).toEqual(['$9.50', '¥9.50', undefined]);
});

test('CHAN-14 R27 names missing values in the specified order', () => {
  expect(problemOf(blankChannel, '')).toBe('incomplete');
  expect(problemOf(complete, ' ')).toBe('incomplete');
  expect(problemOf({ ...complete, models: '' }, 'sk')).toBe('models');
  // W2: a raw proxy needs none.
  expect(problemOf({ ...complete, type: 43, models: '' }, 'sk')).toBeUndefined();
  expect(problemOf({ ...complete, mapping: '{' }, 'sk')).toBe('mapping');
  expect(problemOf(complete, 'sk')).toBeUndefined();
});

test('CHAN-21 C48 requires no key for a channel that has one, and then sends none, but always a name', () => {
  expect(problemOf({ ...complete, name: ' ' }, undefined)).toBe('incomplete');
  expect(problemOf(complete, undefined)).toBeUndefined();
  expect(fieldsOf(complete, '  ')).not.toHaveProperty('key');
  expect(fieldsOf(complete, ' sk-1 ')).toHaveProperty('key', 'sk-1');
});

test('CHAN-09 CHAN-19 clamps the weight at 0 and trims the address', () => {
  expect(fieldsOf({ ...complete, weight: '-3', baseUrl: 'https://x.example/' }, '')).toMatchObject({
    weight: 0,
    base_url: 'https://x.example',
  });
});

test('CHAN-22 serves the group default when none is chosen', () => {
  expect(fieldsOf({ ...complete, groups: '' }, '')).toMatchObject({ group: 'default' });
});

test('CHAN-17 requires what a type needs and fills in its version', () => {
  expect(fieldsOf({ ...complete, type: 3 }, '')).toMatchObject({ other: '2024-03-01-preview' });
  expect(fieldsOf({ ...complete, type: 18 }, '')).toMatchObject({ other: 'v2.1' });
  expect(fieldsOf({ ...complete, type: 18, other: 'v3.5' }, '')).toMatchObject({ other: 'v3.5' });
  const labels = [3, 17, 18, 21].map((type) => fieldsOfType(type).other?.label());
  expect(labels).toEqual(['API version', 'Plugin parameter', 'Model version', 'Knowledge base ID']);
  expect([3, 8, 22, 1].map((type) => fieldsOfType(type).baseUrl.label())).toEqual([
    'Endpoint',
    'Custom base URL',
    'Private deployment address',
    'Base URL',
  ]);
});

test('CHAN-15 counts the keys of a batch and the duplicates', () => {
  expect(keysIn('a\n\n b \na\n')).toEqual({ count: 3, doubles: 1 });
});

test('CHAN-20 has the basic models and maps dated names to base names', () => {
  expect(['gpt-3.5-turbo', 'text-embedding-ada-002', 'gpt-4o', 'my-text'].map(isBasicModel)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const mapping: unknown = JSON.parse(mappingExample);
  expect(mapping).toMatchObject({ 'gpt-3.5-turbo-0301': 'gpt-3.5-turbo' });
});

test('CHAN-24 C8 offers the types in the order of the catalogue, named in the language of the page', () => {
  const offered = (language: Language) => typeChoices(language, 1).groups.flatMap(({ items }) => items);
  expect(offered('en').map(({ value }) => Number(value))).toEqual(vendorList.map(({ id }) => id));
  const nameOf = (id: number, language: Language) => offered(language).find(({ value }) => value === String(id))?.label;
  expect([20, 17, 36].map((id) => nameOf(id, 'en'))).toEqual([
    'Proxy: OpenRouter',
    'Alibaba Tongyi Qianwen',
    'DeepSeek',
  ]);
  expect([20, 17, 36].map((id) => nameOf(id, 'zh'))).toEqual(['代理：OpenRouter', '阿里通义千问', 'DeepSeek']);
  expect(typeChoices('zh', 77).chosen).toEqual({ value: '77', label: '77', also: '77' });
  expect(typeChoices('zh', 77).groups[0]?.items[0]?.value).toBe('77');
});

test('C61 a priority or weight with a fraction is an error, not another number', () => {
  const filled = { ...blankChannel, name: 'a', models: 'm' };
  expect(problemOf({ ...filled, priority: '1.5' }, 'sk')).toBe('priority');
  expect(problemOf({ ...filled, weight: '0.5' }, 'sk')).toBe('weight');
  expect(problemOf({ ...filled, priority: '', weight: '' }, 'sk')).toBeUndefined();
});

test('R36 an API version kept in config is shown, and saving the form keeps it in force', () => {
  const stored = { ...channelRow, type: 3, config: '{"api_version":"2024-10-21","x":1}' };
  const values = valuesOf(stored);
  expect(values.other).toBe('2024-10-21');
  expect(fieldsOf({ ...values, priority: '7' }, '')).toMatchObject({ other: '2024-10-21', config: stored.config });
  expect(fieldsOf({ ...values, other: '' }, '')).toMatchObject({ other: '' });
  expect(valuesOf({ ...stored, other: '2025-01-01' }).other).toBe('2025-01-01');
});

test('R39 a change of the type sends nothing that was entered for the type before', () => {
  const azure = { ...complete, type: 3, other: '2024-03-01-preview' };
  expect(fieldsOf({ ...azure, ...typeChange(azure, 24) }, '')).toMatchObject({ type: 24, other: '' });
  expect(fieldsOf({ ...azure, ...typeChange(azure, 18) }, '')).toMatchObject({ type: 18, other: 'v2.1' });
  expect(fieldsOf({ ...azure, ...typeChange(azure, 3) }, '')).toMatchObject({ other: '2024-03-01-preview' });
});
