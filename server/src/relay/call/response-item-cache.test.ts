import { describe, expect, test } from 'vitest';
import { createResponseItemCache } from './response-item-cache.ts';

const setUp = (roomMax = 1600) => {
  let now = 1000;
  const cache = createResponseItemCache({ clock: { now: () => now }, keptMs: 50, roomMax });
  return { cache, wait: (ms: number) => (now += ms) };
};

describe('cache items', () => {
  test('RELAY-03 are found by their user only', () => {
    const { cache } = setUp();
    cache.keep(1, 'msg_1', { a: [1] });
    expect(cache.find(1, 'msg_1')).toEqual({ a: [1] });
    expect(cache.find(2, 'msg_1')).toBeNull();
    expect(cache.find(1, 'msg_2')).toBeNull();
  });

  test('RELAY-03 are forgotten after their time', () => {
    const { cache, wait } = setUp();
    cache.keep(1, 'msg_1', {});
    wait(49);
    expect(cache.find(1, 'msg_1')).toEqual({});
    wait(1);
    expect(cache.find(1, 'msg_1')).toBeNull();
  });

  test('RELAY-03 take no more room than they have: the oldest go first, and one alone is never most of it', () => {
    const { cache } = setUp();
    const value = { text: 'x'.repeat(80) };
    for (let id = 0; id < 100; id += 1) cache.keep(1, `msg_${id}`, value);
    const known = Array.from({ length: 100 }, (_, id) => cache.find(1, `msg_${id}`) !== null);
    expect(known.slice(-17).every(Boolean)).toBe(true);
    expect(known.filter(Boolean).length * JSON.stringify(value).length).toBeLessThanOrEqual(1600);
    cache.keep(1, 'large', { text: 'x'.repeat(200) });
    expect(cache.find(1, 'large')).toBeNull();
  });
});
