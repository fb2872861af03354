import { budgetPeriods } from '@weir/contract/limits/budget-rules';
import { expect, test } from 'vitest';
import { clockIn } from '../price/times/local-time.ts';
import { periodAt } from './calendar.ts';

const at = (text: string): number => Date.parse(text) / 1000;
const timesAt = (period: (typeof budgetPeriods)[number], zone: string, text: string) =>
  periodAt(period, zone, Date.parse(text));

test('days, weeks from Monday, and months begin at midnight of their zone', () => {
  expect(timesAt('day', 'Asia/Shanghai', '2026-11-25T17:00:00Z')).toEqual({
    from: at('2026-11-25T16:00:00Z'),
    before: at('2026-11-26T16:00:00Z'),
    previousFrom: at('2026-11-24T16:00:00Z'),
  });
  expect(timesAt('week', 'UTC', '2026-11-29T23:59:59Z')).toEqual({
    from: at('2026-11-23T00:00:00Z'),
    before: at('2026-11-30T00:00:00Z'),
    previousFrom: at('2026-11-16T00:00:00Z'),
  });
  expect(timesAt('month', 'America/New_York', '2027-01-01T04:59:59Z')).toEqual({
    from: at('2026-12-01T05:00:00Z'),
    before: at('2027-01-01T05:00:00Z'),
    previousFrom: at('2026-11-01T04:00:00Z'),
  });
  expect(timesAt('month', 'UTC', '2028-02-29T12:00:00Z').before).toBe(at('2028-03-01T00:00:00Z'));
});

test('a day of daylight saving has 23 or 25 hours', () => {
  const spring = timesAt('day', 'Europe/Berlin', '2026-03-29T12:00:00Z');
  const autumn = timesAt('day', 'Europe/Berlin', '2026-10-25T12:00:00Z');
  expect([spring.before - spring.from, autumn.before - autumn.from]).toEqual([23 * 3600, 25 * 3600]);
});

test('where midnight does not exist the day begins at the jump, and where it comes twice at the first', () => {
  // Beirut went from 00:00 to 01:00, Havana from 01:00 back to 00:00, and Beirut from 00:00 back to 23:00.
  expect(timesAt('day', 'Asia/Beirut', '2024-03-31T12:00:00Z').from).toBe(at('2024-03-30T22:00:00Z'));
  expect(timesAt('day', 'America/Havana', '2024-11-03T12:00:00Z').from).toBe(at('2024-11-03T04:00:00Z'));
  expect(timesAt('day', 'Asia/Beirut', '2024-10-27T12:00:00Z').from).toBe(at('2024-10-26T22:00:00Z'));
});

test('periods follow each other without a gap, in zones with every kind of change, around the clock', () => {
  const zones = [
    'Asia/Beirut',
    'America/Havana',
    'Africa/Cairo',
    'Australia/Lord_Howe',
    'America/Asuncion',
    'Pacific/Apia',
  ];
  for (const zone of zones)
    for (const period of budgetPeriods)
      for (let hour = 0; hour < 24 * 366; hour += 13) {
        const now = Date.UTC(2024, 0, 1, hour, 30);
        const { from, before, previousFrom } = periodAt(period, zone, now);
        const label = `${zone} ${period} ${new Date(now).toISOString()}`;
        expect(from * 1000 <= now && now < before * 1000, label).toBe(true);
        expect(periodAt(period, zone, before * 1000).from, label).toBe(before);
        expect(periodAt(period, zone, from * 1000 - 1).from, label).toBe(previousFrom);
        expect(clockIn(zone, from * 1000) % 86_400_000, label).toBeLessThanOrEqual(3_600_000);
      }
});
