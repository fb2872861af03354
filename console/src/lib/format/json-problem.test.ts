import { expect, test } from 'vitest';
import { jsonProblem } from './json-problem.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test.each([
  ['{\n  "a": ,\n}', { line: 2, column: 8, expected: 'value' }],
  ['{\n  "a": 1\n  "b": 2\n}', { line: 3, column: 3, expected: 'comma' }],
  ['{"a" 1}', { line: 1, column: 6, expected: 'colon' }],
  ['{"a": 1,}', { line: 1, column: 9, expected: 'name' }],
  ['{a: 1}', { line: 1, column: 2, expected: 'name' }],
  ['["x', { line: 1, column: 2, expected: 'quote' }],
  ['{} {}', { line: 1, column: 4, expected: 'end' }],
  ['', { line: 1, column: 1, expected: 'value' }],
])('reports where %j breaks and what is expected there', (text, problem) => {
  expect(jsonProblem(text)).toEqual(problem);
});

test.each([
  '{}',
  '[]',
  ' {"a": [1, -2.5e3, true, null, "x\\u00e9\\n"], "b": {}} ',
  '0',
  '"x"',
  'null',
  '[1,2]',
  '-0',
  '01',
  '1.',
  '.5',
  '+1',
  'NaN',
  'tru',
  '[1,]',
  '{"a"}',
  '"\t"',
  "'a'",
  '{"a":1}}',
  '[',
  '{"a":',
  '-',
  '"\\x"',
  '1 2',
])('agrees with the parser about %j', (text) => {
  expect(jsonProblem(text) === undefined).toBe(parses(text));
});
