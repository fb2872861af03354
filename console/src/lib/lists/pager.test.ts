import { expect, test } from 'vitest';
import { pageAt, pagerEnd, pagerItems, wirePagesFor } from './pager.ts';

test('TOK-04 offers both ends and the neighbours of the current page', () => {
  expect(pagerItems(1, 1)).toEqual([1]);
  expect(pagerItems(1, 3)).toEqual([1, 2, 3]);
  expect(pagerItems(5, 10)).toEqual([1, 'gap', 4, 5, 6, 'gap', 10]);
  expect(pagerItems(1, 10)).toEqual([1, 2, 'gap', 10]);
  expect(pagerItems(10, 10)).toEqual([1, 'gap', 9, 10]);
});

test('TOK-04 shows a page instead of a gap of one', () => {
  expect(pagerItems(4, 10)).toEqual([1, 2, 3, 4, 5, 'gap', 10]);
  expect(pagerItems(3, 5)).toEqual([1, 2, 3, 4, 5]);
});

test('C24 a pager knows the length that the server told, and offers every page that may be loaded', () => {
  const end = (loaded: number, total: number | undefined, complete = false) =>
    pagerEnd({ loaded, complete, total, size: 10 });
  expect(end(20, 243)).toEqual({ count: 243, last: 25, more: false });
  // Another server tells no length: the loaded pages, and that there are more.
  expect(end(20, undefined)).toEqual({ count: undefined, last: 2, more: true });
  expect(end(0, undefined)).toEqual({ count: undefined, last: 1, more: true });
  // Everything is loaded: what is there counts.
  expect(end(23, 24, true)).toEqual({ count: 23, last: 3, more: false });
  expect(end(0, 5, true)).toEqual({ count: 0, last: 1, more: false });
  // Added since the first page was read.
  expect(end(30, 25)).toEqual({ count: 30, last: 3, more: false });
  // The last page would need a request for each page before it.
  expect(end(20, 1001)).toEqual({ count: 1001, last: 2, more: true });
  expect(end(20, 1000)).toEqual({ count: 1000, last: 100, more: false });
});

test('loads all wire pages that the rows on screen reach into', () => {
  expect(wirePagesFor(1, 10, 10)).toBe(1);
  expect(wirePagesFor(3, 10, 10)).toBe(3);
  expect(wirePagesFor(1, 50, 10)).toBe(5);
  expect(wirePagesFor(2, 15, 10)).toBe(3);
});

test('TOK-04 LOG-05 a long list is on the page of its top row, or at its end on the requested one', () => {
  const at = (top: number, total: number, requested: number) => pageAt({ top, count: 15, total, size: 20, requested });
  expect(at(0, 1000, 1)).toBe(1);
  expect(at(45, 1000, 1)).toBe(3);
  // 30 rows never bring row 21 to the top of 15.
  expect(at(15, 30, 2)).toBe(2);
  expect(at(15, 30, 1)).toBe(2);
  expect(at(3, 30, 2)).toBe(1);
  // 25 rows in pages of 10, all but the last ten on screen together.
  const short = (top: number, requested: number) => pageAt({ top, count: 15, total: 25, size: 10, requested });
  expect(short(10, 2)).toBe(2);
  expect(short(10, 3)).toBe(3);
  // Everything is on screen.
  const whole = (requested: number) => pageAt({ top: 0, count: 40, total: 25, size: 10, requested });
  expect([1, 2, 3, 9].map(whole)).toEqual([1, 2, 3, 1]);
});
