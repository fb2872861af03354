import { expect, test } from 'vitest';
import { changeLines, laidOut, pastedRatios, ratioChanges, ratiosText, readRatios } from './ratios.ts';

test('SET-11 reads a JSON object of numbers and nothing else', () => {
  expect(readRatios('{"gpt-4": 15, "free": 0, "auto": -1}')).toEqual({ 'gpt-4': 15, free: 0, auto: -1 });
  for (const text of ['', '{', '[]', '[1]', 'null', '1', '{"a":"1"}', '{"a":null}', '{"a":{}}', '{"a":1e999}'])
    expect(readRatios(text), text).toBeUndefined();
});

test('formats a compact table with one entry per line, and keeps a text that would lose digits', () => {
  expect(laidOut('{"a":1,"b":0.5}')).toBe('{\n  "a": 1,\n  "b": 0.5\n}');
  expect(laidOut('{"a":0.1000000000000000055511151231257827}')).toBe('{"a":0.1000000000000000055511151231257827}');
  expect(laidOut('{"a":')).toBe('{"a":');
});

test('lists what saving changes, adds and removes', () => {
  const before = { a: 1, b: 2, c: 3 };
  const after = { b: 2, c: 4, d: 5 };
  expect(ratioChanges(before, after)).toEqual({ changed: ['c'], added: ['d'], removed: ['a'] });
  expect(changeLines(before, after)).toEqual(['c: 3 → 4', '+ d: 5', '− a']);
  expect(changeLines(before, before)).toEqual([]);
  const odd = readRatios('{"__proto__":1,"toString":2}') ?? {};
  expect(ratioChanges({}, odd).added).toEqual(['__proto__', 'toString']);
});

test('parses rows of a spreadsheet, of a list and of JSON, and skips others', () => {
  expect(pastedRatios('gpt-4\t15\r\nglm-4, 7.1\n"o1": 7.5,\nname\tratio\n\nqwen:7b\t0.02\nx\t1e-3')).toEqual({
    'gpt-4': 15,
    'glm-4': 7.1,
    o1: 7.5,
    'qwen:7b': 0.02,
    x: 0.001,
  });
  expect(pastedRatios('gpt-4')).toEqual({});
});

test('writes a table as text that reads the same', () => {
  const ratios = { a: 1, b: 1e-7, 'c"d': 2 };
  expect(readRatios(ratiosText(ratios))).toEqual(ratios);
});
