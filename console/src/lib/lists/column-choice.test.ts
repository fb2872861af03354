import { expect, test, vi } from 'vitest';
import { chooseColumn, orderColumns, shownColumns } from './column-choice.ts';

vi.stubGlobal('window', { innerWidth: 1440 });

const columns = [{ id: 'name', fixed: true }, { id: 'used' }, { id: 'key' }, { id: 'weight', spare: true }] as const;
const ids = (hidden: string | undefined) => shownColumns(columns, hidden, 1440).map(({ id }) => id);

test('shows all but spare columns until the user chooses', () => {
  expect(ids(undefined)).toEqual(['name', 'used', 'key']);
});

test('C27 a narrow window shows fewer columns until the user chooses', () => {
  const wide = [...columns, { id: 'traffic', from: 1280 }] as const;
  const at = (width: number, hidden?: string) => shownColumns(wide, hidden, width).map(({ id }) => id);
  expect(at(1280)).toEqual(['name', 'used', 'key', 'traffic']);
  expect(at(1279)).toEqual(['name', 'used', 'key']);
  expect(at(375)).toEqual(at(1440));
  expect(at(1024, 'used,weight')).toEqual(['name', 'key', 'traffic']);
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
