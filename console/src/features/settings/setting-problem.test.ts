import { expect, test } from 'vitest';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { settingProblem, settledText } from './setting-problem.ts';

const t: Translate = (message: (...args: never[]) => string, inputs: unknown = {}) =>
  String(Reflect.apply(message, undefined, [inputs, { locale: 'en' }]));

test.each(['-1', '1.5', 'x', ''])('SET-12 RetryTimes refuses %j', (text) => {
  expect(settingProblem(t, 'RetryTimes', text)).toBe('Enter a whole number of 0 or more');
});

test('SET-12 C80 RetryTimes refuses a number that is too large as that', () => {
  expect(settingProblem(t, 'RetryTimes', '1e400')).toBe('This number is too large');
});

test.each(['0', '-2', '', 'x', 'Infinity', 'NaN'])('SET-12 QuotaPerUnit refuses %j', (text) => {
  expect(settingProblem(t, 'QuotaPerUnit', text)).toBe('Enter a number of 0.01 or more');
});

test('SET-12 RetryTimes accepts whole numbers from 0, QuotaPerUnit numbers from 0.01', () => {
  for (const text of ['0', '3', ' 10 ']) expect(settingProblem(t, 'RetryTimes', text), text).toBeUndefined();
  for (const text of ['0.01', '500000', '1000.5'])
    expect(settingProblem(t, 'QuotaPerUnit', text), text).toBeUndefined();
});

test.each([
  ['ModelRatio', 'model ratio is not a valid JSON string'],
  ['CompletionRatio', 'completion ratio is not a valid JSON string'],
  ['GroupRatio', 'group ratio is not a valid JSON string'],
  ['PartRatio', 'part ratio is not a valid JSON string'],
] as const)('SET-11 a broken %s has the specified text', (key, text) => {
  for (const broken of ['', '{', '[]', '{"a":"1"}']) expect(settingProblem(t, key, broken), broken).toBe(text);
  expect(settingProblem(t, key, '{"a":1}')).toBeUndefined();
});

test('SET-05 trailing slashes are removed from addresses, except from those that are kept exactly', () => {
  expect(settledText('ServerAddress', ' https://weir.example/path// ')).toBe('https://weir.example/path');
  expect(settledText('OidcTokenEndpoint', ' https://id.example/token/ ')).toBe('https://id.example/token/');
  expect(settledText('About', 'https://about.example/')).toBe('https://about.example/');
  expect(settingProblem(t, 'ServerAddress', 'weir.example')).toContain('begins with http:// or https://');
  expect(settingProblem(t, 'ServerAddress', '')).toBeUndefined();
});
