import { alertKinds, ruleFigures } from '@weir/contract/alerts/alerts';
import { expect, test } from 'vitest';
import { initialFigures, isWhole, wrongFigures } from './rule-values.ts';

test('every kind of rule begins with figures within its bounds', () => {
  for (const kind of alertKinds) expect(wrongFigures({ kind, figures: initialFigures(kind) }), kind).toEqual([]);
});

test('a figure out of bounds is named, and one that the kind does not have is not', () => {
  const figures = { threshold: '101', window_minutes: '14', least: 'many' };
  expect(wrongFigures({ kind: 'channel_errors', figures })).toEqual(['threshold', 'window_minutes', 'least']);
  expect(wrongFigures({ kind: 'channel_disabled', figures })).toEqual([]);
  expect(ruleFigures.channel_disabled).toEqual({});
});

test('a whole number is read without fractions, signs and blanks within', () => {
  expect(isWhole(' 15 ', 15, 15)).toBe(true);
  for (const text of ['', '1.5', '-1', '1 5', '16', '1e1']) expect(isWhole(text, 0, 15), text).toBe(false);
});
