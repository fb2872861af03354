import { expect, test } from 'vitest';
import { nextSort, sortRows } from './sort-rows.ts';

const rows = [
  { id: 3, name: 'beta' },
  { id: 1, name: 'alpha 10' },
  { id: 2, name: 'alpha 9' },
];
const keyOf = (column: string) => {
  if (column === 'name') return (row: { name: string }) => row.name;
  return column === 'id' ? (row: { id: number }) => row.id : undefined;
};
const ids = (sorted: readonly { id: number }[]) => sorted.map(({ id }) => id);

test('sorts numbers as numbers and names by the numbers in them', () => {
  expect(ids(sortRows(rows, 'id', keyOf))).toEqual([1, 2, 3]);
  expect(ids(sortRows(rows, '-id', keyOf))).toEqual([3, 2, 1]);
  expect(ids(sortRows(rows, 'name', keyOf))).toEqual([2, 1, 3]);
});

test('keeps the order of the server without a sort or with an unknown column', () => {
  expect(ids(sortRows(rows, undefined, keyOf))).toEqual([3, 1, 2]);
  expect(ids(sortRows(rows, '-gone', keyOf))).toEqual([3, 1, 2]);
});

test('keeps the order of the server among equals', () => {
  const equal = [{ id: 2 }, { id: 1 }];
  expect(ids(sortRows(equal, '-same', () => () => 0))).toEqual([2, 1]);
});

test('C24 a header sorts ascending, then descending, then restores the order of the server; amounts begin descending', () => {
  expect(nextSort(undefined, 'name')).toBe('name');
  expect(nextSort('name', 'name')).toBe('-name');
  expect(nextSort('-name', 'name')).toBeUndefined();
  expect(nextSort('id', 'name')).toBe('name');
  const amounts = [undefined, '-quota', 'quota'].map((sort) => nextSort(sort, 'quota', true));
  expect(amounts).toEqual(['-quota', 'quota', undefined]);
});
