import { pageSize } from '@weir/contract/wire';
import { expect, test } from 'vitest';
import { pauseMs, readNew } from './live-poll.ts';
import { toRows } from './log-row.ts';

/** A log of records `count` … 1, newest first, and the pages that were read of it. */
const server = (count: number) => {
  const records = Array.from({ length: count }, (_, index) => ({ id: count - index, created_at: count - index }));
  const rows = toRows(records);
  const read: number[] = [];
  const fetchPage = (page: number) => {
    read.push(page);
    return Promise.resolve(rows.slice(page * pageSize, (page + 1) * pageSize));
  };
  return { fetchPage, read };
};
const upTo = (last: number) => new Set(Array.from({ length: last }, (_, index) => index + 1));

test('LOG-03 a live poll returns exactly the records newer than the known ones', async () => {
  const { fetchPage, read } = server(53);
  expect((await readNew(fetchPage, upTo(50)))?.map(({ id }) => id)).toEqual([53, 52, 51]);
  expect(read).toEqual([0]);
});

test('LOG-03 more than a page of new records leaves no gap', async () => {
  const { fetchPage, read } = server(75);
  const found = await readNew(fetchPage, upTo(50));
  expect(found?.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, index) => 75 - index));
  expect(read).toEqual([0, 1, 2]);
});

test('LOG-03 a gap that five pages do not bridge is reported, not hidden', async () => {
  const { fetchPage, read } = server(500);
  expect(await readNew(fetchPage, upTo(50))).toBeUndefined();
  expect(read).toHaveLength(5);
});

test('LOG-03 a log that was empty ends with its short page', async () => {
  expect((await readNew(server(4).fetchPage, new Set()))?.map(({ id }) => id)).toEqual([4, 3, 2, 1]);
  expect(await readNew(server(0).fetchPage, new Set())).toEqual([]);
});

test('LOG-03 live polls run every two seconds, less often while they fail', () => {
  expect([0, 1, 2, 3, 10].map(pauseMs)).toEqual([2000, 4000, 8000, 16_000, 60_000]);
});
