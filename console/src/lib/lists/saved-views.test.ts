import { expect, test } from 'vitest';
import { withView } from './saved-views.ts';

const views = [
  { name: 'A', search: '?view=enabled' },
  { name: 'B', search: '?q=x' },
];

test('a new view is added at the end, one with the same name is replaced', () => {
  expect(withView(views, { name: 'C', search: '' }).map(({ name }) => name)).toEqual(['A', 'B', 'C']);
  expect(withView(views, { name: 'A', search: '?p=2' })).toEqual([
    { name: 'B', search: '?q=x' },
    { name: 'A', search: '?p=2' },
  ]);
});

test('keeps the newest fifty', () => {
  const many = Array.from({ length: 60 }, (_, index) => ({ name: String(index), search: '' }));
  expect(withView(many, { name: 'new', search: '' })).toHaveLength(50);
});
