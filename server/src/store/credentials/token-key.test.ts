import { expect, test } from 'vitest';
import { createTokenKey, isTokenKey } from './token-key.ts';

test('a key is 48 alphanumerics, and another one each time', () => {
  const keys = Array.from({ length: 1000 }, createTokenKey);
  expect(new Set(keys).size).toBe(1000);
  for (const key of keys) expect(key).toMatch(/^[0-9A-Za-z]{48}$/);
  expect(keys.every(isTokenKey)).toBe(true);
});

test('a key with any character changed is seen not to be one, without asking the database', () => {
  const key = createTokenKey();
  for (let at = 0; at < key.length; at += 1) {
    const other = key[at] === 'a' ? 'b' : 'a';
    expect(isTokenKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
  for (const text of ['', key.slice(1), `${key}a`, ` ${key}`]) expect(isTokenKey(text)).toBe(false);
});
