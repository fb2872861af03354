import { expect, test } from 'vitest';
import { isCall, typeOf } from './log-type.ts';

const word = (type: number, locale: 'en' | 'zh') => typeOf(type)[0]({}, { locale });

test('LOG-08 every type has a label in both languages, and an unknown one is labelled as unknown', () => {
  expect([1, 2, 3, 4, 5].map((type) => word(type, 'en'))).toEqual([
    'Top-up',
    'Consumption',
    'Management',
    'System',
    'Test',
  ]);
  expect([1, 2, 3, 4, 5].map((type) => word(type, 'zh'))).toEqual(['充值', '消费', '管理', '系统', '测试']);
  for (const type of [0, 6, 99, -1, 2.5]) {
    expect(word(type, 'en')).toBe('Unknown');
    expect(word(type, 'zh')).toBe('未知');
  }
});

test('records of calls have tokens and a cost even when they are 0', () => {
  expect([0, 1, 2, 3, 4, 5, 6].filter(isCall)).toEqual([2, 5]);
});
