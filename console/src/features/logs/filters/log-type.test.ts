import { logType, refusalRules } from '@weir/contract/logs';
import { expect, test } from 'vitest';
import { m } from '../../../paraglide/messages.js';
import { isCall, typeOf, wordOf } from './log-type.ts';

const word = (type: number, locale: 'en' | 'zh') => typeOf(type)[0]({}, { locale });

test('LOG-08 every type has a label in both languages, and an unknown one is labelled as unknown', () => {
  expect([1, 2, 3, 4, 5, 20].map((type) => word(type, 'en'))).toEqual([
    'Top-up',
    'Consumption',
    'Management',
    'System',
    'Test',
    'Refused',
  ]);
  expect([1, 2, 3, 4, 5, 20].map((type) => word(type, 'zh'))).toEqual([
    '充值',
    '消费',
    '管理',
    '系统',
    '测试',
    '被拒绝',
  ]);
  for (const type of [0, 6, 99, -1, 2.5]) {
    expect(word(type, 'en')).toBe('Unknown');
    expect(word(type, 'zh')).toBe('未知');
  }
});

test('C10 every rule that refuses a call has a text in both languages', () => {
  for (const locale of ['en', 'zh'] as const) {
    const texts = refusalRules.map((rule) => m.log_refusal_rule({ rule }, { locale }));
    expect(texts.filter((text) => text === '' || /^[a-z_]+$/.test(text))).toEqual([]);
  }
  expect(m.log_refusal_rule({ rule: 'of_another_version' }, { locale: 'en' })).toBe('of_another_version');
});

test('records of calls have tokens and a cost even when they are 0', () => {
  expect([0, 1, 2, 3, 4, 5, 6].filter(isCall)).toEqual([2, 5]);
});

test('C24 a failed test has a word of its own, on this server and on others', () => {
  const shown = (content: string, type: number = logType.test) => wordOf({ type, content })[0]({}, { locale: 'en' });
  expect(shown('channel Fast test succeeded, response: ok')).toBe('Test');
  expect(shown('channel Fast test failed, error: status code: 401')).toBe('Test failed');
  expect(shown('渠道 Fast 测试失败，错误：401')).toBe('Test failed');
  expect(shown('channel Fast test failed, error: 401', logType.manage)).toBe('Management');
});
