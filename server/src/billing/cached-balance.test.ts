import { expect, test } from 'vitest';
import type { Balance } from '../store/ledger/postings.ts';
import { createBalanceCache } from './cached-balance.ts';

/** Reads that are answered one by one, by the test. */
const createReads = () => {
  const reads: ((available: number) => void)[] = [];
  const look = () =>
    new Promise<Balance>((resolve) => {
      reads.push((available) => resolve({ available, held: 0, used: 0 }));
    });
  return { look, reads };
};

test('M16 a change between the read of a balance and its answer makes the next use read again', async () => {
  const { look, reads } = createReads();
  const cache = createBalanceCache(look);
  const ready = cache.ready(1);
  cache.invalidate(1);
  reads[0]?.(100);
  await ready;
  expect(cache.get(1)?.balance.available).toBe(100);
  const again = cache.ready(1);
  expect(again).not.toBeNull();
  reads[1]?.(40);
  await again;
  expect(cache.ready(1)).toBeNull();
  expect(cache.get(1)?.balance.available).toBe(40);
});

test('M16 a use after the change does not wait for the read that began before it', async () => {
  const { look, reads } = createReads();
  const cache = createBalanceCache(look);
  const before = cache.ready(1);
  cache.invalidate(0);
  let isReady = false;
  const after = cache.ready(1)?.then(() => (isReady = true));
  reads[0]?.(100);
  await before;
  await Promise.resolve();
  expect(isReady).toBe(false);
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.(40);
  await after;
  expect(cache.get(1)?.balance.available).toBe(40);
});

test('M16 of more than 100,000 accounts the oldest idle ones are dropped, none with a reservation', async () => {
  const cache = createBalanceCache(async () => ({ available: 1, held: 0, used: 0 }));
  for (const id of [1, 2, 3]) await cache.ready(id);
  const reserved = cache.get(1);
  if (reserved !== undefined) reserved.reserved = 1;
  for (let id = 4; id <= 100_002; id += 1) void cache.ready(id);
  await cache.ready(100_003);
  expect([1, 2, 3, 4, 5].map((id) => cache.get(id) !== undefined)).toEqual([true, false, false, false, true]);
});

test('M16 each read that is asked for during another one begins after it, and is shared', async () => {
  const { look, reads } = createReads();
  const cache = createBalanceCache(look);
  const first = cache.reload(1);
  const second = cache.reload(1);
  expect(cache.reload(1)).toBe(second);
  reads[0]?.(1);
  await first;
  await expect.poll(() => reads.length).toBe(2);
  const third = cache.reload(1);
  expect(third).not.toBe(second);
  reads[1]?.(2);
  await second;
  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.(3);
  await third;
  expect(cache.get(1)?.balance.available).toBe(3);
});
