import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLargeWork, largeMin } from './large-work.ts';

test('S2 S3 large pieces of work run one at a time, in their order, and others run between them', async () => {
  const work = createLargeWork();
  expect(work.turn(largeMin - 1)).toBeNull();
  const seen: string[] = [];
  let over = false;
  const others = (async () => {
    while (!over) {
      seen.push('other');
      await nextTurn();
    }
  })();
  await Promise.all(
    ['first', 'second', 'third'].map(async (name) => {
      await work.turn(largeMin);
      seen.push(name);
    }),
  );
  over = true;
  await others;
  const pieces = seen.filter((name, index) => name !== 'other' || seen[index - 1] !== 'other');
  expect(pieces.slice(0, 6)).toEqual(['other', 'first', 'other', 'second', 'other', 'third']);
});

test('S2 S3 as long as a piece of work took, none follows', async () => {
  const work = createLargeWork();
  const spans: { from: number; to: number }[] = [];
  await Promise.all(
    [1, 2, 3].map(async () => {
      await work.turn(largeMin);
      const from = performance.now();
      while (performance.now() - from < 30);
      spans.push({ from, to: performance.now() });
    }),
  );
  const pauses = spans.slice(1).map(({ from }, index) => from - (spans[index]?.to ?? 0));
  // Timers count whole milliseconds.
  for (const pause of pauses) expect(pause).toBeGreaterThan(28);
});
