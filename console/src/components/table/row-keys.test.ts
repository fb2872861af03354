import { expect, test } from 'vitest';
import { keyAction } from './row-keys.ts';

const key = (name: string, more: { ctrlKey?: boolean; metaKey?: boolean; altKey?: boolean } = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

test('arrows and letters move within the list and stop at its ends', () => {
  expect(keyAction(key('ArrowDown'), 0, 3)).toEqual({ kind: 'move', to: 1 });
  expect(keyAction(key('j'), 2, 3)).toEqual({ kind: 'move', to: 2 });
  expect(keyAction(key('k'), 0, 3)).toEqual({ kind: 'move', to: 0 });
  expect(keyAction(key('End'), 0, 3)).toEqual({ kind: 'move', to: 2 });
  expect(keyAction(key('Home'), 2, 3)).toEqual({ kind: 'move', to: 0 });
});

test('keys run the actions of the row', () => {
  const kinds = ['x', 'X', 'Enter', 'e', 'c', '.'].map((name) => keyAction(key(name), 0, 1)?.kind);
  expect(kinds).toEqual(['select', 'select', 'open', 'open', 'copy', 'menu']);
});

test('ignores the shortcuts of the browser', () => {
  expect(keyAction(key('c', { ctrlKey: true }), 0, 1)).toBeUndefined();
  expect(keyAction(key('k', { metaKey: true }), 0, 1)).toBeUndefined();
  expect(keyAction(key('Tab'), 0, 1)).toBeUndefined();
});
