import { expect, test } from 'vitest';
import { zhipuToken } from './zhipu-jwt.ts';

test('PROVIDER-16 makes a bearer token of an id.secret key', () => {
  expect(zhipuToken({ key: 'abc123.s3cr3t', now: 1_700_000_000_000, validMs: 3_600_000 })).toBe(
    'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5IjoiYWJjMTIzIiwiZXhwIjoxNzAwMDAzNjAwMDAwLCJ0aW1lc3RhbXAiOjE3MDAwMDAwMDAwMDB9.pO8SvMLfLJtHTJgKp6nAesNDaIY0roQi_iOTnI4VAOc',
  );
});

test('PROVIDER-16 makes none of a key of another form', () => {
  const keys = ['', 'abc', '.secret', 'id.', 'a.b.c'];
  expect(keys.map((key) => zhipuToken({ key, now: 0, validMs: 1 }))).toStrictEqual(keys.map(() => null));
});
