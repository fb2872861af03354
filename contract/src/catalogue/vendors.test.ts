import { expect, test } from 'vitest';
import { vendorList, vendorOf } from './vendors.ts';

/** The types of the reference: those of the specification and those that came since. */
const reference = vendorList.filter(({ id }) => id <= 51);

test('CHAN-24 the 31 types of the specification come first, in its order', () => {
  expect(vendorList.slice(0, 31).map(({ id }) => id)).toEqual([
    1, 14, 3, 11, 24, 28, 15, 17, 18, 16, 19, 25, 23, 26, 27, 29, 30, 31, 8, 22, 21, 20, 2, 5, 7, 10, 4, 6, 9, 12, 13,
  ]);
});

test('CHAN-24 later types follow by their numbers, and no number is given twice', () => {
  const later = vendorList.slice(31).map(({ id }) => id);
  expect(later).toEqual(later.toSorted((a, b) => a - b));
  expect(new Set(vendorList.map(({ id }) => id)).size).toBe(vendorList.length);
  expect(reference).toHaveLength(51);
});

test('CHAN-24 each vendor has a name, a colour, and the name that owns its models', () => {
  for (const { id, name, color, ownedBy } of vendorList) expect([name, color, ownedBy], `type ${id}`).not.toContain('');
  expect(new Set(vendorList.map(({ name }) => name)).size).toBe(vendorList.length);
});

test('CHAN-18 the four types of the specification whose key has several parts say how it is written', () => {
  const hints = vendorList.slice(0, 31).flatMap(({ id, keyHint }) => (keyHint === undefined ? [] : [[id, keyHint]]));
  expect(hints).toEqual([
    [15, 'APIKey|SecretKey'],
    [18, 'APPID|APISecret|APIKey'],
    [23, 'AppId|SecretId|SecretKey'],
    [22, 'APIKey-AppId'],
  ]);
});

test('a vendor without a base URL of its own is one whose channels must have one, or whose key names the host', () => {
  const bare = reference.filter(({ baseUrl }) => baseUrl === '').map(({ id }) => id);
  expect(bare).toEqual([3, 18, 8, 33, 42, 43, 50]);
  for (const { id, baseUrl } of vendorList.filter((vendor) => vendor.baseUrl !== ''))
    expect(baseUrl, `type ${id}`).toMatch(/^https?:\/\/[^/]+(\/.*[^/])?$/);
});

test('the types of the reference read `other` from the members of `config` where other consoles keep it', () => {
  const members = reference.flatMap(({ id, other }) => (other === undefined ? [] : [[id, other.configMember]]));
  expect(Object.fromEntries(members)).toEqual({
    3: 'api_version',
    17: 'plugin',
    18: 'api_version',
    21: 'library_id',
    24: 'api_version',
    33: 'region',
    34: 'user_id',
    37: 'user_id',
    42: 'region',
  });
});

test('CHAN-24 a type that the catalogue does not hold is found to be none', () => {
  expect(vendorOf(8)?.name).toBe('Custom channel');
  for (const id of [0, -1, 1000, 1.5]) expect(vendorOf(id)).toBeUndefined();
});
