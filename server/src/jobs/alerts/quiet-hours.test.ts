import { expect, test } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const night = { from: '22:00', until: '07:00', zone: 'Europe/Berlin' };
const endOf = (quiet: typeof night, at: string): string | undefined => {
  const end = quietUntil(quiet, Date.parse(at));
  return end === undefined ? undefined : new Date(end).toISOString();
};

test('quiet hours end at the local time, also in the nights in which clocks are changed', () => {
  expect(endOf(night, '2026-11-10T20:59:59Z')).toBeUndefined();
  expect(endOf(night, '2026-11-10T21:00:00Z')).toBe('2026-11-11T06:00:00.000Z');
  expect(endOf(night, '2026-11-11T05:59:59Z')).toBe('2026-11-11T06:00:00.000Z');
  expect(endOf(night, '2026-11-11T06:00:00Z')).toBeUndefined();
  // Clocks go forward: the night is an hour shorter, and 22:00 is 21:00 UTC before and 20:00 UTC after.
  expect(endOf(night, '2026-03-28T21:00:00Z')).toBe('2026-03-29T05:00:00.000Z');
  expect(endOf(night, '2026-03-29T20:00:00Z')).toBe('2026-03-30T05:00:00.000Z');
  // Clocks go back: it is an hour longer.
  expect(endOf(night, '2026-10-24T20:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
});

test('quiet hours that end in the hour that clocks leave out or repeat end after it', () => {
  const early = { ...night, until: '02:30' };
  expect(endOf(early, '2026-03-29T00:30:00Z')).toBe('2026-03-29T01:00:00.000Z');
  expect(endOf(early, '2026-10-25T00:10:00Z')).toBe('2026-10-25T00:30:00.000Z');
  expect(endOf(early, '2026-10-25T01:10:00Z')).toBe('2026-10-25T01:30:00.000Z');
});

test('quiet hours within a day, and none where both ends are the same', () => {
  const noon = { from: '12:00', until: '13:30', zone: 'Asia/Kolkata' };
  expect(endOf(noon, '2026-11-10T06:30:00Z')).toBe('2026-11-10T08:00:00.000Z');
  expect(endOf(noon, '2026-11-10T08:00:00Z')).toBeUndefined();
  expect(endOf({ ...noon, until: '12:00' }, '2026-11-10T06:30:00Z')).toBeUndefined();
});
