import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { providerOf } from '../providers/providers.ts';
import { chooseChannel } from './choose-channel.ts';
import type { RoutedChannel } from './routing-table.ts';

const channel = (id: number, priority: number, weight: number, type = 8): RoutedChannel => ({
  id,
  name: `channel ${id}`,
  type,
  enabled: true,
  keyDigest: '',
  priority,
  weight,
  models: ['m'],
  groups: ['default'],
  provider: providerOf(type),
  systemPrompt: '',
  base: null,
  key: '',
  other: '',
  redirect: (model) => model,
});

const untried: ReadonlySet<number> = new Set();

/** How often each channel is chosen when the random number takes every value of a fine grid once. */
const shares = (channels: readonly RoutedChannel[], tried = untried): ReadonlyMap<number | null, number> => {
  const steps = 12_000;
  const counts = new Map<number | null, number>();
  for (let step = 0; step < steps; step += 1) {
    const chosen = chooseChannel(channels, tried, () => step / steps)?.id ?? null;
    counts.set(chosen, (counts.get(chosen) ?? 0) + 1 / steps);
  }
  return new Map([...counts].map(([id, share]) => [id, Math.round(share * 1000) / 1000]));
};

describe('chooseChannel', () => {
  test('RELAY-05 takes the highest priority, whatever the weights', () => {
    const channels = [channel(1, 0, 1000), channel(2, 5, 0), channel(3, -5, 7)];
    expect(shares(channels)).toEqual(new Map([[2, 1]]));
    expect(shares(channels, new Set([2]))).toEqual(new Map([[1, 1]]));
    expect(shares(channels, new Set([1, 2]))).toEqual(new Map([[3, 1]]));
    expect(shares(channels, new Set([1, 2, 3]))).toEqual(new Map([[null, 1]]));
  });

  test('RELAY-05 shares by weight within a priority', () => {
    const channels = [channel(1, 3, 1), channel(2, 3, 2), channel(3, 3, 0), channel(4, 3, 3), channel(5, 2, 9)];
    expect(shares(channels)).toEqual(
      new Map([
        [1, 0.167],
        [2, 0.333],
        [4, 0.5],
      ]),
    );
  });

  test('RELAY-05 shares evenly where no weight says otherwise', () => {
    const channels = [channel(1, 0, 0), channel(2, 0, 0), channel(3, 0, 0), channel(4, 0, 0)];
    expect([...shares(channels).values()]).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect([...shares(channels, new Set([2, 3])).keys()]).toEqual([1, 4]);
  });

  test('RELAY-05 a channel without weight serves once those with one have failed', () => {
    const channels = [channel(1, 0, 5), channel(2, 0, 0)];
    expect(shares(channels, new Set([1]))).toEqual(new Map([[2, 1]]));
  });

  test('RELAY-05 never takes a type whose format is unknown', () => {
    expect(shares([channel(1, 9, 9, 999), channel(2, 0, 0)])).toEqual(new Map([[2, 1]]));
    expect(shares([channel(1, 9, 9, 999)])).toEqual(new Map([[null, 1]]));
  });

  test('RELAY-05 always takes an untried channel of the highest priority that is left', () => {
    const channels = fc.array(fc.tuple(fc.integer({ min: -2, max: 2 }), fc.nat(5)), { maxLength: 8 });
    fc.assert(
      fc.property(
        channels,
        fc.array(fc.nat(8)),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (parts, ids, at) => {
          const all = parts.map(([priority, weight], id) => channel(id, priority, weight));
          const tried = new Set(ids);
          const left = all.filter(({ id }) => !tried.has(id));
          const top = left.filter(({ priority }) => priority === Math.max(...left.map((one) => one.priority)));
          const weighted = top.filter(({ weight }) => weight > 0);
          const chosen = chooseChannel(all, tried, () => at);
          const allowed = weighted.length > 0 ? weighted : top;
          expect(allowed.length === 0 ? [null] : allowed).toContain(chosen);
        },
      ),
    );
  });
});
