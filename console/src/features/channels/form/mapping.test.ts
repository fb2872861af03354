import { expect, test } from 'vitest';
import { mappingText, readMapping } from './mapping.ts';

test('CHAN-19 reads redirects as rows and writes them as the same text', () => {
  const text = JSON.stringify({ 'gpt-4-0314': 'gpt-4', o: 'o3' }, null, 2);
  expect(readMapping(text)).toEqual([
    ['gpt-4-0314', 'gpt-4'],
    ['o', 'o3'],
  ]);
  expect(mappingText(readMapping(text) ?? [])).toBe(text);
  expect([readMapping(' '), mappingText([['', 'half-written']])]).toEqual([[], '']);
});

test('CHAN-19 reads no rows from a text that is not a JSON object of names', () => {
  for (const text of ['{', '[]', '["a"]', '"a"', 'null', '{"a":1}', '{"a":"b","c":{}}']) {
    expect(readMapping(text), text).toBeUndefined();
  }
});
