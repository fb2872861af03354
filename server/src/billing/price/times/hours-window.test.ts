import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hoursWindow } from './hours-window.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The instant of 00:00 UTC of the nth Sunday of a month; 0: the last one. */
const sunday = (year: number, month: number, nth: number): number => {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  const days = Array.from({ length: 5 }, (_, index) => ((7 - first) % 7) + 1 + index * 7);
  const within = days.filter((day) => new Date(Date.UTC(year, month, day)).getUTCMonth() === month);
  return Date.UTC(year, month, within.at(nth - 1) ?? 1);
};

/** Minutes east of UTC, by the rules of the zones as their laws state them. */
const offsets: Record<string, (atMs: number) => number> = {
  UTC: () => 0,
  'Asia/Kolkata': () => 330,
  'Asia/Shanghai': () => 480,
  'Europe/Berlin': (atMs) => {
    const year = new Date(atMs).getUTCFullYear();
    const hour = 60 * minuteMs;
    return atMs >= sunday(year, 2, 0) + hour && atMs < sunday(year, 9, 0) + hour ? 120 : 60;
  },
  'America/New_York': (atMs) => {
    const year = new Date(atMs).getUTCFullYear();
    const hour = 60 * minuteMs;
    return atMs >= sunday(year, 2, 2) + 7 * hour && atMs < sunday(year, 10, 1) + 6 * hour ? -240 : -300;
  },
};

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const isoDay = (localDay: number): number => ((((localDay + 3) % 7) + 7) % 7) + 1;

const windowShape = fc.record({
  start: fc.integer({ min: 0, max: 1439 }),
  end: fc.integer({ min: 0, max: 1440 }),
  days: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), { nil: undefined }),
});
const changes = [2024, 2025, 2026, 2027].flatMap((year) => [
  sunday(year, 2, 0) + 60 * minuteMs,
  sunday(year, 9, 0) + 60 * minuteMs,
  sunday(year, 2, 2) + 420 * minuteMs,
  sunday(year, 10, 1) + 360 * minuteMs,
]);
const instant = fc.oneof(
  fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) }),
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * dayMs, max: 2 * dayMs }))
    .map(([change, away]) => change + away),
);

/** The first window that covers the instant, looking at the days it may have begun on; -1: none does. */
const expected = (
  windows: readonly { start: number; end: number; days: number[] | undefined }[],
  localMs: number,
): number => {
  const today = Math.floor(localMs / dayMs);
  return windows.findIndex(({ start, end, days }) =>
    [today - 1, today].some((day) => {
      const from = day * dayMs + start * minuteMs;
      const until = day * dayMs + end * minuteMs + (end > start ? 0 : dayMs);
      return (days?.includes(isoDay(day)) ?? true) && localMs >= from && localMs < until;
    }),
  );
};

describe('hoursWindow', () => {
  test('finds the factor of 3,000 instants as offsets from UTC give it, half of them beside a change of the clock', () => {
    const shape = fc.record({
      zone: fc.constantFrom(...Object.keys(offsets)),
      windows: fc.array(windowShape, { maxLength: 4 }),
      atMs: instant,
    });
    fc.assert(
      fc.property(shape, ({ zone, windows, atMs }) => {
        const sent = windows.map(({ start, end, days }, index) => ({
          from: clock(start),
          to: clock(end),
          factor: `0.${index + 1}`,
          ...(days && { days }),
        }));
        const wanted = sent[expected(windows, atMs + (offsets[zone]?.(atMs) ?? 0) * minuteMs)];
        expect(hoursWindow({ zone, windows: sent }, atMs)?.factor).toBe(wanted?.factor);
      }),
      { numRuns: 3_000 },
    );
  });

  test('a night that begins on Saturday ends on Sunday morning, in the hour that is repeated too', () => {
    const night = { days: [6], from: '22:00', to: '03:00', factor: '0.5' };
    const at = (text: string) => hoursWindow({ zone: 'Europe/Berlin', windows: [night] }, Date.parse(text))?.factor;
    // The clock goes from 03:00 back to 02:00 on Sunday 2026-10-25, at 01:00 UTC.
    expect(at('2026-10-24T19:59:59Z')).toBeUndefined();
    expect(at('2026-10-24T20:00:00Z')).toBe('0.5');
    expect(at('2026-10-25T00:59:59Z')).toBe('0.5');
    expect(at('2026-10-25T01:30:00Z')).toBe('0.5');
    expect(at('2026-10-25T02:00:00Z')).toBeUndefined();
  });
});
