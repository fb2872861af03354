import { expect, test, vi } from 'vitest';
import { headScript } from './head-script.js';

test('C4 SHELL-21 the head script sends its requests to the built-in address of the gateway', () => {
  const sent: string[] = [];
  const store = { user: '{"role":100}', status: '{"build":"v1"}' };
  const window: { weirEarly?: object } = {};
  const element = { dataset: {}, lang: '' };
  const globals = {
    window,
    localStorage: { getItem: (key: keyof typeof store) => store[key] ?? null },
    document: { documentElement: element, head: { append: () => undefined }, createElement: () => ({}) },
    matchMedia: () => ({ matches: false }),
    location: { pathname: '/token', search: '' },
    fetch: (address: string) => {
      sent.push(address);
      return Promise.resolve();
    },
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  headScript([['^/token$', true, [], '/api/token/?p=0', '/api/token/?p=0', [], 0]], '', 'https://api.example');
  vi.unstubAllGlobals();
  expect(sent).toEqual(['https://api.example/api/status', 'https://api.example/api/token/?p=0']);
  expect(Object.keys(window.weirEarly ?? {})).toEqual(sent);
});
