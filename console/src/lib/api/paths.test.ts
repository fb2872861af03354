import { expect, test } from 'vitest';
import { isAuthPath, safeReturnPath } from './paths.ts';

test('recognises the screens before sign-in', () => {
  expect(['/login', '/login/', '/register', '/reset', '/user/reset', '/oauth/github'].every(isAuthPath)).toBe(true);
  expect(isAuthPath('/user/edit')).toBe(false);
});

test('SHELL-03 returns only to addresses of this console', () => {
  expect(safeReturnPath('/log?p=3')).toBe('/log?p=3');
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'log',
    '/login',
    '/login?expired=true',
    7,
    undefined,
  ]) {
    expect(safeReturnPath(path)).toBeUndefined();
  }
});
