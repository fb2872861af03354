import { expect, test } from 'vitest';
import { cleanSearch, patternOf, screenAt } from './screen-at.ts';
import { screens } from './screens.ts';

const isGuarded = (path: string): boolean => (screenAt(path)?.access ?? 'public') !== 'public';

test.each([
  '/channel',
  '/channel/add',
  '/token/edit/3',
  '/redemption',
  '/user',
  '/user/edit',
  '/setting',
  '/audit',
  '/alert',
  '/bill',
  '/margin',
  '/pricing',
  '/pricing/book',
  '/topup',
  '/log',
])('SHELL-03 guards %s', (path) => {
  expect(isGuarded(path)).toBe(true);
});

test.each(['/', '/about', '/chat', '/tokens', '/login', '/user/reset', '/oauth/github'])(
  'SHELL-03 does not guard %s',
  (path) => {
    expect(isGuarded(path)).toBe(false);
  },
);

test('a path of words matches before one with an id, and a trailing slash makes no difference', () => {
  expect(screenAt('/channel/add')?.path).toBe('/channel/add');
  expect(screenAt('/channel/12/')?.path).toBe('/channel/:id');
  expect(screenAt('/user/edit')?.path).toBe('/user/edit');
  expect(screenAt('/user/edit/3')?.path).toBe('/user/edit/:id');
  expect(screenAt('/channel/12/more')).toBeUndefined();
});

test('C60 an id is a whole number: an address with another text has no screen', () => {
  for (const path of ['/token/edit/abc', '/token/abc', '/channel/edit/1a', '/channel/1.5', '/user/edit/-1'])
    expect(screenAt(path), path).toBeUndefined();
});

test('a pattern of one path names its parameters, a pattern of several matches each of them', () => {
  expect(patternOf(['/token/edit/:id']).exec('/token/edit/7')?.groups).toEqual({ id: '7' });
  const several = patternOf(['/token', '/token/add', '/token/edit/:id']);
  expect(['/token', '/token/add', '/token/edit/7', '/token/7'].map((path) => several.test(path))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('every sheet opens over a screen of the table and reads the search parameters of its list', () => {
  const sheets = screens.filter(({ over }) => over !== undefined);
  expect(sheets.length).toBeGreaterThan(4);
  for (const { over, search } of sheets) expect(screens.find(({ path }) => path === over)?.search).toBe(search);
});

test('parameters that a screen does not read are removed from the address', () => {
  expect(cleanSearch('/token', '?p=3&q=x&foo=1&size=7')).toBe('?p=3&q=x');
  expect(cleanSearch('/about', '?p=3')).toBe('');
  expect(cleanSearch('/nowhere', '?p=3')).toBe('');
});
