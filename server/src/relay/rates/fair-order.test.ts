import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairOrder } from './fair-order.ts';

/** Serves users that always have calls; of equal starts the lowest ID. Returns how often each was served. */
const serve = (order: FairOrder, weights: ReadonlyMap<number, number>, times: number): Map<number, number> => {
  const served = new Map<number, number>();
  for (let index = 0; index < times; index += 1) {
    const [user = 0] = [...weights.keys()].toSorted((a, b) => order.startOf(a) - order.startOf(b) || a - b);
    order.served(user, weights.get(user) ?? 1);
    served.set(user, (served.get(user) ?? 0) + 1);
  }
  return served;
};

describe('the order of users', () => {
  test('serves users that always have calls as often as they weigh, within one call of each', () => {
    const weights = fc.array(fc.constantFrom(0.5, 1, 2, 3), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 400 }), (listed, times) => {
        const byUser = new Map(listed.map((weight, user) => [user, weight]));
        const served = serve(new FairOrder(), byUser, times);
        for (const [one, weight] of byUser)
          for (const [other, otherWeight] of byUser) {
            const turns = (served.get(one) ?? 0) / weight - (served.get(other) ?? 0) / otherWeight;
            expect(Math.abs(turns)).toBeLessThanOrEqual(1 / weight + 1 / otherWeight + 1e-9);
          }
      }),
    );
  });

  test('lets those who come anew in front of the next calls of those who were served, and not of those who were not', () => {
    const order = new FairOrder();
    for (let index = 0; index < 50; index += 1) order.served(1, 1);
    expect(order.startOf(2)).toBeLessThan(order.startOf(1));
    order.served(2, 1);
    expect(order.startOf(2)).toBe(order.startOf(1));
    // Pauses are not saved up: a user who was away starts where the others are.
    for (let index = 0; index < 50; index += 1) order.served(1, 1);
    expect(order.startOf(1) - order.startOf(2)).toBeLessThanOrEqual(1);
  });
});
