import { expect, test } from 'vitest';
import { parseTime } from './parse-time.ts';

const now = new Date(2026, 10, 21, 12, 0, 0, 250).getTime();
const at = (...parts: [number, number, number, number?, number?, number?]) => {
  const [year, month, day, hours = 0, minutes = 0, seconds = 0] = parts;
  return new Date(year, month - 1, day, hours, minutes, seconds).getTime() / 1000;
};

test('TOK-12 reads dates with and without a time of day', () => {
  expect(parseTime('2026-03-01', now)).toBe(at(2026, 3, 1));
  expect(parseTime(' 2026-03-01 18:00 ', now)).toBe(at(2026, 3, 1, 18));
  expect(parseTime('2026-03-01T18:00:30', now)).toBe(at(2026, 3, 1, 18, 0, 30));
});

test('TOK-12 sends unix seconds rounded up', () => {
  expect(parseTime('now', now)).toBe(Math.floor(now / 1000) + 1);
});

test('reads distances from now', () => {
  const base = now / 1000;
  expect(parseTime('+7d', now)).toBe(Math.ceil(base + 7 * 86_400));
  expect(parseTime('-2h', now)).toBe(Math.ceil(base - 7200));
  expect(parseTime('+1M', now)).toBe(Math.ceil(base + 30 * 86_400));
  expect(parseTime('+90m', now)).toBe(Math.ceil(base + 5400));
});

test.each(['', 'tomorrow', '2026-02-31', '2026-13-01', '2026-03-01 25:00', '2026-03-01 10:61', '7d', '+7', '1e9'])(
  'TOK-12 takes %j for no time',
  (typed) => {
    expect(parseTime(typed, now)).toBeUndefined();
  },
);
