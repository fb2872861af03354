import { expect, test } from 'vitest';
import { isAuthPath, isGuarded, safePlace } from './paths.ts';

test.each([
  '/channel',
  '/channel/add',
  '/token/edit/3',
  '/redemption',
  '/user',
  '/user/edit',
  '/setting',
  '/topup',
  '/log',
])('SHELL-03 guards %s', (path) => {
  expect(isGuarded(path)).toBe(true);
});

test.each(['/', '/about', '/chat', '/tokens', '/login', '/user/reset', '/oauth/github'])(
  'SHELL-03 leaves %s open',
  (path) => {
    expect(isGuarded(path)).toBe(false);
  },
);

test('knows the screens before sign-in', () => {
  expect(['/login', '/login/', '/register', '/reset', '/user/reset', '/oauth/github'].every(isAuthPath)).toBe(true);
  expect(isAuthPath('/user/edit')).toBe(false);
});

test('SHELL-03 returns to places of this console only', () => {
  expect(safePlace('/log?p=3')).toBe('/log?p=3');
  for (const place of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'log',
    '/login',
    '/login?expired=true',
    7,
    undefined,
  ]) {
    expect(safePlace(place)).toBeUndefined();
  }
});
