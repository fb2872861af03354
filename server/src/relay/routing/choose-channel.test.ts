import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { providerOf } from '../../providers/providers.ts';
import { chooseChannel, type Choosing } from './choose-channel.ts';
import { one as listPrice } from '../../billing/price/ratio.ts';
import { relayLimits } from '../limits.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { RoutedChannel } from './routed-channel.ts';

const channel = (id: number, priority: number, weight: number, type = 8, keys = 1): RoutedChannel => {
  const channelKeys: RoutedChannel[] = [];
  const withKey = (keyIndex: number): RoutedChannel => ({
    id,
    name: `channel ${id}`,
    type,
    enabled: true,
    keyDigest: '',
    keyIndex,
    channelKeys,
    channelKey: `${id}/${keyIndex}`,
    priority,
    weight,
    models: ['m'],
    groups: ['default'],
    provider: providerOf(type),
    systemPrompt: '',
    times: relayLimits,
    proxy: null,
    affinity: true,
    costFactor: listPrice,
    base: null,
    key: '',
    other: '',
    redirect: (model) => model,
  });
  const first = withKey(0);
  channelKeys.push(first, ...Array.from({ length: keys - 1 }, (_, index) => withKey(index + 1)));
  return first;
};

const noneFailed: ReadonlySet<number> = new Set();

/** A choice by chance alone among the channels that did not fail. */
const choose = (channels: readonly RoutedChannel[], ids: ReadonlySet<number>, random: () => number) =>
  chooseChannel(channels, {
    isFull: null,
    model: 'm',
    failedKeys: failedKeysOf(channels, ids),
    breaker: none,
    stickyKey: null,
    random,
  });

const none: Pick<CircuitBreaker, 'coolDownOf'> = { coolDownOf: () => null };
const failedKeysOf = (channels: readonly RoutedChannel[], ids: ReadonlySet<number>): ReadonlySet<RoutedChannel> =>
  new Set(channels.filter(({ id }) => ids.has(id)).flatMap(({ channelKeys }) => channelKeys));

/** How often each channel is chosen when the random number takes every value of a fine grid once. */
const shares = (channels: readonly RoutedChannel[], failed = noneFailed): ReadonlyMap<number | null, number> => {
  const steps = 12_000;
  const counts = new Map<number | null, number>();
  for (let step = 0; step < steps; step += 1) {
    const chosen = choose(channels, failed, () => step / steps)?.id ?? null;
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

  test('RELAY-05 shares evenly without weights', () => {
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

  test('RELAY-05 always takes an noneFailed channel of the highest priority that is left', () => {
    const channels = fc.array(fc.tuple(fc.integer({ min: -2, max: 2 }), fc.nat(5)), { maxLength: 8 });
    fc.assert(
      fc.property(
        channels,
        fc.array(fc.nat(8)),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (parts, ids, at) => {
          const all = parts.map(([priority, weight], id) => channel(id, priority, weight));
          const failed = new Set(ids);
          const left = all.filter(({ id }) => !failed.has(id));
          const top = left.filter(({ priority }) => priority === Math.max(...left.map((one) => one.priority)));
          const weighted = top.filter(({ weight }) => weight > 0);
          const chosen = choose(all, failed, () => at);
          const allowed = weighted.length > 0 ? weighted : top;
          expect(allowed.length === 0 ? [null] : allowed).toContain(chosen);
        },
      ),
    );
  });

  const openAt = (...open: readonly string[]): Pick<CircuitBreaker, 'coolDownOf'> => ({
    coolDownOf: ({ channelKey }) => (open.includes(channelKey) ? { reason: 'failures', until: Infinity } : null),
  });
  const chosenKeys = (channels: readonly RoutedChannel[], more: Partial<Choosing> = {}): readonly string[] => {
    const choosing = {
      model: 'm',
      failedKeys: new Set<RoutedChannel>(),
      breaker: none,
      isFull: null,
      stickyKey: null,
      ...more,
    };
    // Every pair of a fine grid: one number for the channel, one for its key.
    const steps = Array.from({ length: 12 * 12 }, (_, step) => [Math.floor(step / 12) / 12, (step % 12) / 12]);
    const channelKeys = steps.map(
      (pair) => chooseChannel(channels, { ...choosing, random: () => pair.shift() ?? 0 })?.channelKey ?? '',
    );
    return [...new Set(channelKeys)].toSorted();
  };

  test('RELAY-05 skips keys whose circuit is open, down to a lower priority, and takes one where no other is left', () => {
    const channels = [channel(1, 9, 1), channel(2, 9, 1), channel(3, 0, 1)];
    expect(chosenKeys(channels, { breaker: openAt('1/0') })).toEqual(['2/0']);
    expect(chosenKeys(channels, { breaker: openAt('1/0', '2/0') })).toEqual(['3/0']);
    expect(chosenKeys(channels, { breaker: openAt('1/0', '2/0', '3/0') })).toEqual(['1/0', '2/0']);
  });

  test('RELAY-05 uses every key of a channel whose circuit is closed, whatever its weight beside other channels', () => {
    const channels = [channel(1, 0, 1, 8, 3), channel(2, 0, 1)];
    expect(chosenKeys(channels)).toEqual(['1/0', '1/1', '1/2', '2/0']);
    expect(chosenKeys(channels, { breaker: openAt('1/0', '1/2') })).toEqual(['1/1', '2/0']);
    expect(shares(channels)).toEqual(
      new Map([
        [1, 0.5],
        [2, 0.5],
      ]),
    );
  });

  test('RELAY-05 a conversation stays with its channel and key, unless that is open, failed, or others come first', () => {
    const channels = [channel(1, 5, 9), channel(2, 5, 0, 8, 2), channel(3, 0, 1)];
    expect(chosenKeys(channels, { stickyKey: '2/1' })).toEqual(['2/1']);
    expect(chosenKeys(channels, { stickyKey: '2/1', breaker: openAt('2/1') })).toEqual(['1/0']);
    expect(chosenKeys(channels, { stickyKey: '2/1', failedKeys: failedKeysOf(channels, new Set([2])) })).toContain(
      '1/0',
    );
    expect(chosenKeys(channels, { stickyKey: '3/0' })).toEqual(['1/0']);
    expect(chosenKeys(channels, { stickyKey: '7/0' })).toEqual(['1/0']);
  });
});
