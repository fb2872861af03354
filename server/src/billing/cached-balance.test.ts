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
