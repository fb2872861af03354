import { expect, test } from 'vitest';
import { readAll } from './read-all.ts';

const source = (count: number) => ({
  whole: false,
  wireSize: 10,
  // Every page begins with the last row of the previous one: rows were added while the list was read.
  fetchPage: (page: number) =>
    Promise.resolve(
      Array.from({ length: Math.max(0, Math.min(10, count - page * 9)) }, (_, index) => ({ id: page * 9 + index })),
    ),
});
const { signal } = new AbortController();

test('LOG-07 a list is read to its short page, each row once', async () => {
  const counts: number[] = [];
  const rows = await readAll({
    source: source(25),
    signal,
    onCount: (count) => counts.push(count),
    allow: () => Promise.reject(new Error('confirmation requested')),
  });
  expect(rows?.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, id) => id));
  expect(counts).toEqual([10, 19, 25]);
});

test('LOG-07 more than 10,000 rows need one confirmation, and a refusal stops the export', async () => {
  let confirmations = 0;
  const read = (yes: boolean) =>
    readAll({
      source: source(10_100),
      signal,
      onCount: () => undefined,
      allow: () => {
        confirmations += 1;
        return Promise.resolve(yes);
      },
    });
  expect(await read(false)).toBeUndefined();
  expect(await read(true)).toHaveLength(10_100);
  expect(confirmations).toBe(2);
});

test('LOG-07 a stopped export returns no rows', async () => {
  const stop = new AbortController();
  const read = readAll({
    source: source(100),
    signal: stop.signal,
    onCount: () => stop.abort(),
    allow: () => Promise.resolve(true),
  });
  await expect(read).rejects.toThrow();
});
