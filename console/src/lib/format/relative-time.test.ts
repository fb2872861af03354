import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

test('names distances in the largest unit that fits', () => {
  const now = 1_800_000_000;
  expect(relativeTime(now - 180, now, 'en')).toBe('3 minutes ago');
  expect(relativeTime(now + 30 * 86_400, now, 'en')).toBe('next month');
  expect(relativeTime(now + 29 * 86_400, now, 'en')).toBe('in 29 days');
  expect(relativeTime(now, now, 'en')).toBe('now');
  expect(relativeTime(now - 7200, now, 'zh')).toBe('2小时前');
});
