import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startLoop } from './loop.ts';

const failOn = (error: unknown) => {
  throw error;
};

test('work is repeated after a pause, also after a failure, which is reported', async () => {
  let runs = 0;
  const errors: unknown[] = [];
  const end = startLoop(
    () => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('the first run')) : Promise.resolve();
    },
    { pauseMs: 5 },
    (error) => errors.push(error),
  );
  expect(runs).toBe(1);
  await expect.poll(() => runs).toBeGreaterThan(2);
  await end();
  expect(errors).toEqual([new Error('the first run')]);
  const atEnd = runs;
  await pause(50);
  expect(runs).toBe(atEnd);
});

test('the first run may wait, and an end before it means none', async () => {
  let runs = 0;
  const count = () => {
    runs += 1;
    return Promise.resolve();
  };
  const end = startLoop(count, { pauseMs: 60_000, firstMs: 20 }, failOn);
  const endNone = startLoop(count, { pauseMs: 60_000, firstMs: 20 }, failOn);
  await endNone();
  expect(runs).toBe(0);
  await expect.poll(() => runs).toBe(1);
  await pause(50);
  expect(runs).toBe(1);
  await end();
});

test('an end tells the work to stop, waits for it, and reports nothing that fails then', async () => {
  let isOver = false;
  const work = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) await pause(5);
    await pause(20);
    isOver = true;
    throw new Error('the database is closed');
  };
  const end = startLoop(work, { pauseMs: 5 }, failOn);
  await pause(20);
  await end();
  expect(isOver).toBe(true);
});
