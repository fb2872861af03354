import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineAt, lineOfEntry } from './book-lines.ts';
import { jsonFaultAt } from './json-fault.ts';

test('the line of an entry is found whatever is written before and within it', () => {
  const text = [
    '{',
    '  "other": {"entries": [1, 2], "text": "] \\" }"},',
    '  "na\\u006de": "x", "number": -1.5e3, "flag": true,',
    '  "entries": [',
    '    {"a": [1, {"b": "}"}]},',
    '    "text, with \\\\",',
    '    3, null,',
    '',
    '    {}',
    '  ]',
    '}',
  ].join('\n');
  expect([0, 1, 2, 3, 4].map((index) => lineOfEntry(text, index))).toEqual([5, 6, 7, 7, 9]);
  expect(lineOfEntry('[1,2]', 1)).toBe(1);
  expect(lineOfEntry('{"name":"x"}', 1)).toBe(1);
  expect(lineOfEntry('{"name":"x",\n"entries":7}', 1)).toBe(2);
});

test('every entry of a book is found on its line, however it is written', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 8 }), fc.jsonValue(), (entries, other) => {
      const lines = entries.map((entry) => JSON.stringify(entry));
      const text = `{"other":${JSON.stringify(other)},"entries":[\n${lines.join(',\n')}\n]}`;
      expect(entries.map((_, index) => lineOfEntry(text, index))).toEqual(entries.map((_, index) => index + 2));
    }),
  );
});

test('the line is told on which a text stops being JSON', () => {
  const fault = (text: string) => lineAt(text, jsonFaultAt(text));
  expect(fault('nope')).toBe(1);
  expect(fault('{"a":1,\n"b":x}')).toBe(2);
  expect(fault('{"a":[1,\n2,\n\n}')).toBe(4);
  expect(fault('{"a":1,\n}')).toBe(2);
  expect(fault('{\n"a":01}')).toBe(2);
  expect(fault('{"a":1}\n{')).toBe(2);
  expect(fault('{"a":[1\n')).toBe(2);
  expect(fault('')).toBe(1);
});

test('whatever is cut or added, the place is within the text, and behind all of it where the text is JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), fc.constantFrom('', '@', '"', ']', '}', ','), (value, at, added) => {
      const whole = JSON.stringify(value);
      const text = whole.slice(0, at % (whole.length + 1)) + added;
      const place = jsonFaultAt(text);
      expect(place).toBeLessThanOrEqual(text.length);
      expect(jsonFaultAt(whole)).toBe(whole.length);
      if (place < text.length) expect(() => void JSON.parse(text)).toThrow();
    }),
  );
});
