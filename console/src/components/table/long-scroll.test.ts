import { expect, test } from 'vitest';
import { createScroll, rowPx, windowOf } from './long-scroll.ts';

const viewPx = 640;

const open = (total: number) => {
  const scroll = createScroll();
  scroll.resize({ total, viewPx });
  return scroll;
};

test('LOG-06 at most 60 rows are in the page, whatever the height of the window', () => {
  for (const height of [0, 100, 640, 1440, 4000]) {
    for (const offset of [0, 17, 32_000, 31_999_000]) {
      const { first, count } = windowOf(offset, height, 1_000_000);
      expect(count).toBeLessThanOrEqual(60);
      if (height < 1700) expect(first * rowPx).toBeLessThanOrEqual(offset);
      if (height < 1700)
        expect(Math.min((first + count) * rowPx, 32_000_000)).toBeGreaterThanOrEqual(
          Math.min(offset + height, 32_000_000),
        );
    }
  }
});

test('a list within the limit of a scroll bar scrolls exactly with it', () => {
  const scroll = open(1000);
  expect(scroll.spacerPx(1000)).toBe(32_000);
  scroll.moveTo(12_345);
  expect(scroll.offset()).toBe(12_345);
  expect(scroll.topOf(385)).toBe(385 * rowPx);
});

test('LOG-06 in ten million rows small steps are exact, the bar reaches every part, and both ends are reached', () => {
  const total = 10_000_000;
  const scroll = open(total);
  const bar = scroll.spacerPx(total) - viewPx;
  const list = total * rowPx - viewPx;
  scroll.moveTo(100);
  expect(scroll.offset()).toBe(100);
  scroll.moveTo(bar / 2);
  expect(Math.abs(scroll.offset() - list / 2)).toBeLessThan(rowPx);
  const middle = scroll.offset();
  scroll.moveTo(bar / 2 + 64);
  expect(scroll.offset()).toBe(middle + 64);
  // Rows are positioned at the bar, however far the list has scrolled.
  const first = Math.floor(scroll.offset() / rowPx);
  expect(scroll.topOf(first)).toBeCloseTo(bar / 2 + 64 - (scroll.offset() % rowPx), 0);
  scroll.moveTo(bar);
  expect(scroll.offset()).toBe(list);
  scroll.moveTo(0);
  expect(scroll.offset()).toBe(0);
});

test('going to a row sets the position of the bar, and a shorter list keeps its end on screen', () => {
  const scroll = open(1_000_000);
  const top = scroll.goTo(500_000 * rowPx);
  expect(Math.abs(top - 4_000_000)).toBeLessThan(viewPx);
  scroll.moveTo(top);
  expect(scroll.offset()).toBe(500_000 * rowPx);
  scroll.resize({ total: 10, viewPx });
  expect(scroll.offset()).toBe(0);
});
