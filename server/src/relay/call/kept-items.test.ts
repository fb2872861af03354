import { describe, expect, test } from 'vitest';
import { createKeptItems } from './kept-items.ts';

const setUp = (roomMax = 1600) => {
  let now = 1000;
  const kept = createKeptItems({ clock: { now: () => now }, keptMs: 50, roomMax });
  return { kept, wait: (ms: number) => (now += ms) };
};

describe('kept items', () => {
  test('RELAY-03 are found by their user and nobody else', () => {
    const { kept } = setUp();
    kept.keep(1, 'msg_1', { a: [1] });
    expect(kept.find(1, 'msg_1')).toEqual({ a: [1] });
    expect(kept.find(2, 'msg_1')).toBeNull();
    expect(kept.find(1, 'msg_2')).toBeNull();
  });

  test('RELAY-03 are forgotten after their time', () => {
    const { kept, wait } = setUp();
    kept.keep(1, 'msg_1', {});
    wait(49);
    expect(kept.find(1, 'msg_1')).toEqual({});
    wait(1);
    expect(kept.find(1, 'msg_1')).toBeNull();
  });

  test('RELAY-03 take no more room than they have: the oldest go first, and one alone is never most of it', () => {
    const { kept } = setUp();
    const value = { text: 'x'.repeat(80) };
    for (let id = 0; id < 100; id += 1) kept.keep(1, `msg_${id}`, value);
    const known = Array.from({ length: 100 }, (_, id) => kept.find(1, `msg_${id}`) !== null);
    expect(known.slice(-17).every(Boolean)).toBe(true);
    expect(known.filter(Boolean).length * JSON.stringify(value).length).toBeLessThanOrEqual(1600);
    kept.keep(1, 'large', { text: 'x'.repeat(200) });
    expect(kept.find(1, 'large')).toBeNull();
  });
});
