import { expect, test } from 'vitest';
import { channelType, channelTypes } from './channel-types.ts';

test('CHAN-24 the catalogue holds the 31 types of the specification in its order', () => {
  expect(channelTypes.slice(0, 31).map(({ key }) => key)).toEqual([
    1, 14, 3, 11, 24, 28, 15, 17, 18, 16, 19, 25, 23, 26, 27, 29, 30, 31, 8, 22, 21, 20, 2, 5, 7, 10, 4, 6, 9, 12, 13,
  ]);
  for (const { key, value, text, color } of channelTypes) {
    expect(value).toBe(key);
    expect([text, color]).not.toContain('');
  }
});

test('CHAN-18 the four types of the specification whose key has several parts say how it is written', () => {
  const hints = channelTypes
    .slice(0, 31)
    .filter(({ keyHint }) => keyHint !== '')
    .map(({ key, keyHint }) => [key, keyHint]);
  expect(hints).toEqual([
    [15, 'APIKey|SecretKey'],
    [18, 'APPID|APISecret|APIKey'],
    [23, 'AppId|SecretId|SecretKey'],
    [22, 'APIKey-AppId'],
  ]);
});

test('CHAN-24 the types that came since follow by their numbers', () => {
  const later = channelTypes.slice(31).map(({ key }) => key);
  expect(later).toEqual(Array.from({ length: 20 }, (_, index) => 32 + index));
  expect(new Set(channelTypes.map(({ key }) => key)).size).toBe(channelTypes.length);
});

test('CHAN-24 a type that the catalogue does not hold is found to be none', () => {
  expect(channelType(8)?.text).toBe('Custom channel');
  for (const id of [0, -1, 52, 1.5]) expect(channelType(id)).toBeUndefined();
});
