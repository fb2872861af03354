import { expect, test } from 'vitest';
import { pagerItems, wirePagesFor } from './pager.ts';

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

test('asks for as many pages of the wire as the rows on screen reach into', () => {
  expect(wirePagesFor(1, 10, 10)).toBe(1);
  expect(wirePagesFor(3, 10, 10)).toBe(3);
  expect(wirePagesFor(1, 50, 10)).toBe(5);
  expect(wirePagesFor(2, 15, 10)).toBe(3);
});
