import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Meter, type Room } from './meter.ts';

const periodMs = 60_000;
const meterOf = (share: number, room: Room = { cells: 0, max: 100 }) => new Meter({ periodMs, share, room });
const waitOf = (meter: Meter, subject: string, amount: number, now: number) =>
  meter.waitFor(meter.cellOf(subject, now), amount, now);
const takeIfFree = (meter: Meter, subject: string, amount: number, now: number): boolean => {
  if (waitOf(meter, subject, amount, now) > 0) return false;
  meter.take(meter.cellOf(subject, now), { subject, metric: 'requests', amount }, now);
  return true;
};

/** The same limit as a bucket that is filled evenly, in whole units of `1 / share` of a millisecond of the period. */
const createBucket = (share: number) => {
  const full = BigInt(periodMs) * BigInt(share);
  let left = full;
  let last = 0;
  return (amount: number, now: number): boolean => {
    left += BigInt(now - last) * BigInt(share);
    if (left > full) left = full;
    last = now;
    const needed = BigInt(Math.min(amount, share)) * BigInt(periodMs);
    if (needed > left) return false;
    left -= needed;
    return true;
  };
};

describe('a meter', () => {
  test('admits what a bucket that is filled evenly admits', () => {
    const calls = fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 12 })), { maxLength: 60 });
    fc.assert(
      // Divisors of the period: the bucket counts in whole numbers.
      fc.property(fc.constantFrom(1, 2, 5, 10, 60, 600), calls, (share, steps) => {
        const [meter, bucket] = [meterOf(share), createBucket(share)];
        let now = 0;
        for (const [pause, amount] of steps) {
          now += pause;
          expect(takeIfFree(meter, 'a', amount, now)).toBe(bucket(amount, now));
        }
      }),
    );
  });

  test('never admits more than the amount and what came back, whatever is given back and however the share changes', () => {
    const step = fc.record({ pause: fc.nat(5000), amount: fc.integer({ min: 1, max: 9 }), used: fc.nat(9) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(step, { maxLength: 60 }), (share, steps) => {
        const meter = meterOf(share);
        let [now, used] = [0, 0];
        for (const { pause, amount, used: wanted } of steps) {
          now += pause;
          if (waitOf(meter, 'a', amount, now) > 0) continue;
          const taken = meter.take(meter.cellOf('a', now), { subject: 'a', metric: 'tokens', amount }, now);
          const spent = Math.min(wanted, taken.amount);
          meter.correct(taken, spent, now);
          used += spent;
          expect(used).toBeLessThanOrEqual(share + (now / periodMs) * share + 1e-6);
        }
      }),
    );
  });

  test('keeps what was used in units when its share changes', () => {
    const meter = meterOf(10);
    for (let index = 0; index < 10; index += 1) takeIfFree(meter, 'a', 1, 0);
    expect(waitOf(meter, 'a', 1, 0)).toBe(6000);
    meter.setShare(100, 0);
    expect(meter.remaining(meter.cellOf('a', 0), 0)).toBe(90);
    meter.setShare(5, 0);
    expect(meter.remaining(meter.cellOf('a', 0), 0)).toBe(0);
    expect(waitOf(meter, 'a', 1, 0)).toBe(12_000);
  });

  test('with no room left holds new subjects to one limit together, and never to a looser one', () => {
    const room = { cells: 0, max: 3 };
    const meter = meterOf(2, room);
    for (let index = 0; index < 3; index += 1) takeIfFree(meter, `known ${index}`, 1, 0);
    const admitted = Array.from({ length: 20 }, (_, index) => takeIfFree(meter, `new ${index}`, 1, 0));
    expect(admitted.filter(Boolean)).toHaveLength(2);
    expect(takeIfFree(meter, 'known 0', 1, 0)).toBe(true);
    expect(takeIfFree(meter, 'known 0', 1, 0)).toBe(false);
    // What is free again makes room.
    expect(takeIfFree(meter, 'new 1', 1, 2 * periodMs)).toBe(true);
    expect(room.cells).toBeLessThanOrEqual(3);
    meter.close();
    expect(room.cells).toBe(0);
  });
});
