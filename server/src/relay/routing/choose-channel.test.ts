import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { providerOf } from '../../providers/providers.ts';
import { chooseChannel, type Choosing } from './choose-channel.ts';
import { relayLimits } from '../limits.ts';
import type { Rests } from './rests.ts';
import type { RoutedChannel } from './routed-channel.ts';

const channel = (id: number, priority: number, weight: number, type = 8, keys = 1): RoutedChannel => {
  const lanes: RoutedChannel[] = [];
  const laneOf = (keyIndex: number): RoutedChannel => ({
    id,
    name: `channel ${id}`,
    type,
    enabled: true,
    keyDigest: '',
    keyIndex,
    lanes,
    lane: `${id}/${keyIndex}`,
    priority,
    weight,
    models: ['m'],
    groups: ['default'],
    provider: providerOf(type),
    systemPrompt: '',
    times: relayLimits,
    affinity: true,
    base: null,
    key: '',
    other: '',
    redirect: (model) => model,
  });
  const first = laneOf(0);
  lanes.push(first, ...Array.from({ length: keys - 1 }, (_, index) => laneOf(index + 1)));
  return first;
};

const untried: ReadonlySet<number> = new Set();

/** A choice by chance alone among the channels that were not tried. */
const choose = (channels: readonly RoutedChannel[], ids: ReadonlySet<number>, random: () => number) =>
  chooseChannel(channels, { model: 'm', tried: triedOf(channels, ids), rests: none, stays: null, random });

const none: Pick<Rests, 'of'> = { of: () => null };
const triedOf = (channels: readonly RoutedChannel[], ids: ReadonlySet<number>): ReadonlySet<RoutedChannel> =>
  new Set(channels.filter(({ id }) => ids.has(id)).flatMap(({ lanes }) => lanes));

/** How often each channel is chosen when the random number takes every value of a fine grid once. */
const shares = (channels: readonly RoutedChannel[], tried = untried): ReadonlyMap<number | null, number> => {
  const steps = 12_000;
  const counts = new Map<number | null, number>();
  for (let step = 0; step < steps; step += 1) {
    const chosen = choose(channels, tried, () => step / steps)?.id ?? null;
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
          const chosen = choose(all, tried, () => at);
          const allowed = weighted.length > 0 ? weighted : top;
          expect(allowed.length === 0 ? [null] : allowed).toContain(chosen);
        },
      ),
    );
  });

  const restingAt = (...resting: readonly string[]): Pick<Rests, 'of'> => ({
    of: ({ lane }) => (resting.includes(lane) ? { reason: 'failures', until: Infinity } : null),
  });
  const lanesOf = (channels: readonly RoutedChannel[], more: Partial<Choosing> = {}): readonly string[] => {
    const choosing = { model: 'm', tried: new Set<RoutedChannel>(), rests: none, stays: null, ...more };
    // Every pair of a fine grid: one number for the channel, one for its key.
    const steps = Array.from({ length: 12 * 12 }, (_, step) => [Math.floor(step / 12) / 12, (step % 12) / 12]);
    const lanes = steps.map(
      (pair) => chooseChannel(channels, { ...choosing, random: () => pair.shift() ?? 0 })?.lane ?? '',
    );
    return [...new Set(lanes)].toSorted();
  };

  test('RELAY-05 passes by what rests, down to a lower priority, and takes it where nobody else is left', () => {
    const channels = [channel(1, 9, 1), channel(2, 9, 1), channel(3, 0, 1)];
    expect(lanesOf(channels, { rests: restingAt('1/0') })).toEqual(['2/0']);
    expect(lanesOf(channels, { rests: restingAt('1/0', '2/0') })).toEqual(['3/0']);
    expect(lanesOf(channels, { rests: restingAt('1/0', '2/0', '3/0') })).toEqual(['1/0', '2/0']);
  });

  test('RELAY-05 uses every key of a channel that does not rest, whatever its weight beside other channels', () => {
    const channels = [channel(1, 0, 1, 8, 3), channel(2, 0, 1)];
    expect(lanesOf(channels)).toEqual(['1/0', '1/1', '1/2', '2/0']);
    expect(lanesOf(channels, { rests: restingAt('1/0', '1/2') })).toEqual(['1/1', '2/0']);
    expect(shares(channels)).toEqual(
      new Map([
        [1, 0.5],
        [2, 0.5],
      ]),
    );
  });

  test('RELAY-05 a conversation stays with its channel and key, unless that rests, failed, or others come first', () => {
    const channels = [channel(1, 5, 9), channel(2, 5, 0, 8, 2), channel(3, 0, 1)];
    expect(lanesOf(channels, { stays: '2/1' })).toEqual(['2/1']);
    expect(lanesOf(channels, { stays: '2/1', rests: restingAt('2/1') })).toEqual(['1/0']);
    expect(lanesOf(channels, { stays: '2/1', tried: triedOf(channels, new Set([2])) })).toContain('1/0');
    expect(lanesOf(channels, { stays: '3/0' })).toEqual(['1/0']);
    expect(lanesOf(channels, { stays: '7/0' })).toEqual(['1/0']);
  });
});
