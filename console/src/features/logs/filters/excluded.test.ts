import { expect, test } from 'vitest';
import { keeper, readExcluded, withExcluded, withoutExcluded } from './excluded.ts';
import { toRows } from '../list/log-row.ts';

const rows = toRows([
  { id: 1, model_name: 'gpt-4o', token_name: 'a, b: c', channel: 7, type: 2 },
  { id: 2, model_name: 'gpt-4o-mini', token_name: 'plain', channel: 8, type: 2 },
  { id: 3, model_name: '', token_name: '', channel: 0, type: 4 },
]);
const left = (text: string | undefined) => rows.filter(keeper(text) ?? (() => true)).map(({ id }) => id);

test('LOG-05 excluded values are stored in the address, with any characters', () => {
  const one = withExcluded(undefined, { column: 'key', value: 'a, b: c' });
  expect(left(one)).toEqual([2, 3]);
  const two = withExcluded(withExcluded(one, { column: 'type', value: '4' }), { column: 'type', value: '4' });
  expect(readExcluded(two)).toHaveLength(2);
  expect(left(two)).toEqual([2]);
  expect(left(withoutExcluded(two, { column: 'key', value: 'a, b: c' }))).toEqual([1, 2]);
  expect(withoutExcluded(one, { column: 'key', value: 'a, b: c' })).toBeUndefined();
});

test('LOG-05 an address written by hand excludes the values that are valid', () => {
  expect(left('model:gpt-4o,nothing:x,key:%E9%9,channel')).toEqual([2, 3]);
  expect(keeper('nothing:x')).toBeUndefined();
});
