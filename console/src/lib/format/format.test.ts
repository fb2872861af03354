import { expect, test } from 'vitest';
import { m } from '../../paraglide/messages.js';
import { abbreviate, cutName, formatCost, formatQuota, formatTime, maskKey, splitList, trimSlash } from './format.ts';

const dollars = { perUnit: 500_000, inCurrency: true };
const units = { perUnit: 500_000, inCurrency: false };

test('FMT-01 shows unix seconds as YYYY-MM-DD HH:mm:ss in local time', () => {
  const local = new Date(2026, 2, 1, 8, 5, 9);
  expect(formatTime(local.getTime() / 1000)).toBe('2026-03-01 08:05:09');
});

test('FMT-02 C23 separates thousands, and abbreviates from 10,000 on with k, M and B and one decimal', () => {
  const shown = [0, 999, 9999, 10_000, 12_345, 999_949, 1_000_000, 2_560_000, 1_000_000_000, 12_340_000_000].map(
    abbreviate,
  );
  expect(shown).toEqual(['0', '999', '9,999', '10.0k', '12.3k', '999.9k', '1.0M', '2.6M', '1.0B', '12.3B']);
});

test('FMT-02 abbreviates negative amounts alike', () => {
  expect(abbreviate(-12_345)).toBe('-12.3k');
});

test('FMT-03 C23 shows quota as dollars with two decimals in currency mode, and never a little as nothing', () => {
  expect(formatQuota(500_000, dollars)).toBe('$1.00');
  expect(formatQuota(6_172_500, dollars)).toBe('$12.35');
  expect([0, 1, -1, 2500].map((quota) => formatQuota(quota, dollars))).toEqual(['$0.00', '<$0.01', '>-$0.01', '$0.01']);
  expect(formatQuota(-250_000, dollars)).toBe('-$0.50');
  // C23: thousands are separated.
  expect(formatQuota(500_000_000_000_000, dollars)).toBe('$1,000,000,000.00');
  expect(formatQuota(-617_250_000, dollars)).toBe('-$1,234.50');
});

test('FMT-03 shows the quota itself outside currency mode', () => {
  expect(formatQuota(5000, units)).toBe('5,000');
  expect(formatQuota(500_000, units)).toBe('500.0k');
});

test('keeps six decimals of a cost under one cent, and two of any other', () => {
  expect(formatCost(40, dollars)).toBe('$0.000080');
  expect(formatCost(5000, dollars)).toBe('$0.01');
  expect(formatCost(0, dollars)).toBe('$0.00');
  expect(formatCost(40, units)).toBe('40');
});

test('FMT-04 cuts names at 15 characters with an ellipsis, counting characters', () => {
  expect(cutName('fifteen letters')).toBe('fifteen letters');
  expect(cutName('sixteen letters!')).toBe('sixteen letters…');
  expect(cutName('😀'.repeat(15))).toBe('😀'.repeat(15));
  expect(cutName('😀'.repeat(16))).toBe(`${'😀'.repeat(15)}…`);
});

test('masks all but three characters at each end of a key', () => {
  expect(maskKey(`a9F${'0'.repeat(42)}x2Q`)).toBe('sk-a9F…x2Q');
});

test('CHAN-19 removes slashes at the end of an address', () => {
  expect(trimSlash(' https://llm.example.com/v1// ')).toBe('https://llm.example.com/v1');
});

test('reads a comma-joined list, also where another server sends null', () => {
  expect(splitList('a, b,,c ')).toEqual(['a', 'b', 'c']);
  expect(splitList('')).toEqual([]);
  expect(splitList(null)).toEqual([]);
});

test('C80 one unit of quota is called by its singular', () => {
  expect(m.quota_units({ count: '1' }, { locale: 'en' })).toBe('1 quota');
});
