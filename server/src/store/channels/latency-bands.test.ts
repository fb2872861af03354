import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bandOf, quantile } from './latency-bands.ts';

const counted = (times: readonly number[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const ms of times) counts.set(bandOf(ms), (counts.get(bandOf(ms)) ?? 0) + 1);
  return counts;
};

test('a percentile of counted times is the exact one within an eighth', () => {
  const times = fc.array(fc.integer({ min: 10, max: 1_000_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95), (list, share) => {
      const sorted = list.toSorted((one, other) => one - other);
      const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
      const found = quantile(counted(list), share);
      expect(Math.abs(found - exact) / exact).toBeLessThan(0.13);
    }),
  );
});

test('what took no time at all, for ever, or was never counted has a percentile too', () => {
  expect(quantile(counted([0, 1, 2]), 0.5)).toBe(5);
  expect(quantile(counted([Number.MAX_SAFE_INTEGER]), 0.95)).toBeGreaterThan(1_800_000);
  expect(quantile(new Map(), 0.5)).toBe(0);
});
