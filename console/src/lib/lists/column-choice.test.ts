import { expect, test } from 'vitest';
import { chooseColumn, orderColumns, shownColumns } from './column-choice.ts';

const columns = [{ id: 'name', fixed: true }, { id: 'used' }, { id: 'key' }, { id: 'weight', spare: true }] as const;
const ids = (hidden: string | undefined) => shownColumns(columns, hidden).map(({ id }) => id);

test('shows all but spare columns until the user chooses', () => {
  expect(ids(undefined)).toEqual(['name', 'used', 'key']);
});

test('hides and shows a column, never the fixed one', () => {
  const hidden = chooseColumn('test', columns, undefined, 'used');
  expect(ids(hidden)).toEqual(['name', 'key']);
  const shown = chooseColumn('test', columns, hidden, 'weight');
  expect(ids(shown)).toEqual(['name', 'key', 'weight']);
  expect(ids('name,used,key,weight')).toEqual(['name']);
});

test('stores that nothing is hidden', () => {
  const none = chooseColumn('test', columns, undefined, 'weight');
  expect(ids(none)).toEqual(['name', 'used', 'key', 'weight']);
});

test('keeps the chosen order, and an unknown column after the one before it', () => {
  const order = (text: string | undefined) => orderColumns(columns, text).map(({ id }) => id);
  expect(order(undefined)).toEqual(['name', 'used', 'key', 'weight']);
  expect(order('weight,key,name,used')).toEqual(['weight', 'key', 'name', 'used']);
  expect(order('key,name')).toEqual(['key', 'weight', 'name', 'used']);
  expect(order('gone,used,used')).toEqual(['name', 'used', 'key', 'weight']);
});
