import { expect, test } from 'vitest';
import { pageAt, pagerItems, wirePagesFor } from './pager.ts';

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
