import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseObject } from '../../../test/parsing/json.ts';
import { depthMax, scanObject } from './json-scan.ts';

const names = ['model', 'stream', 'n', 'm\u00f6del', 'a"b', 'a\\b', '__proto__'];
const wanted = new Set(names);

const scan = (text: string) => scanObject(Buffer.from(text), wanted);

/** Re-writes JSON text with random white space and escapes, so that one value is met in many spellings. */
const spelled = (value: unknown, pick: () => number): string => {
  const space = () => [' ', '', '\n', '\t\r', ''][pick() % 5] ?? '';
  const text = (raw: string) =>
    `"${Array.from(JSON.stringify(raw).slice(1, -1), (char) => (pick() % 7 === 0 && /[a-z]/.test(char) && !escapes.has(char) ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char)).join('')}"`;
  if (Array.isArray(value)) return `[${space()}${value.map((item) => spelled(item, pick) + space()).join(',')}]`;
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${space()}${text(key)}${space()}:${space()}${spelled(item, pick)}${space()}`,
  );
  return `${space()}{${members.join(',')}${space()}}${space()}`;
};
/** Letters that follow a backslash or belong to a \u escape in JSON.stringify's output. */
const escapes = new Set('bfnrtuabcdef');

const key = fc.oneof(fc.constantFrom(...names), fc.string());
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5 }, tie('leaf'), tie('list'), tie('object')),
  leaf: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('"model":"x"', '{"model":"y"}', `${'x'.repeat(100)}\\"${'"'.repeat(40)}`),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('any'), { maxKeys: 5 }),
}));

describe('scanObject', () => {
  test('RELAY-01 finds the same members as JSON.parse in any spelling', () => {
    fc.assert(
      fc.property(fc.dictionary(key, value.any, { maxKeys: 8 }), fc.infiniteStream(fc.nat(1000)), (object, numbers) => {
        const stream: Iterator<number, number> = numbers;
        const text = spelled(object, () => stream.next().value);
        const parsed: unknown = JSON.parse(text);
        expect(parsed).toEqual(JSON.parse(JSON.stringify(object)));
        const bytes = Buffer.from(text);
        const scanned = scanObject(bytes, wanted);
        if (scanned.kind !== 'object') throw new Error(`${scanned.kind}: ${text}`);
        const found = [...scanned.members].map(([name, span]): [string, unknown] => [
          name,
          JSON.parse(bytes.toString('utf8', span.start, span.end)),
        ]);
        const expected = Object.entries(parseObject(text)).filter(([name]) => wanted.has(name));
        expect(new Map(found)).toEqual(new Map(expected));
        expect(scanned.empty).toBe(Object.keys(object).length === 0);
      }),
      { numRuns: 500 },
    );
  });

  test('RELAY-01 refuses what JSON.parse refuses, save for faults inside a string', () => {
    fc.assert(
      fc.property(
        fc.dictionary(key, value.any, { maxKeys: 4 }),
        fc.nat(),
        fc.constantFrom('', ',', '}', ']', '{', '"', 'x', '0', '-', '.', ':', ' 1'),
        (object, where, insert) => {
          const whole = JSON.stringify(object);
          const at = where % (whole.length + 1);
          const text = insert === '' ? whole.slice(0, at) : whole.slice(0, at) + insert + whole.slice(at);
          const result = scan(text);
          try {
            JSON.parse(text);
          } catch {
            if (!/control character|escape|Unicode/i.test(parseFault(text))) expect(result.kind).not.toBe('object');
            return;
          }
          expect(result.kind).toBe(text.trim().startsWith('{') ? 'object' : 'not_object');
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each([
    '',
    ' ',
    '{',
    '{"a":1',
    '{"a":1,}',
    '{,}',
    '{"a" 1}',
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":1e}',
    '{"a":+1}',
    '{"a":tru}',
    '{"a":nul',
    "{'a':1}",
    '{"a":1}x',
    '{"a":[1,]}',
    '{"a":[1 2]}',
    '{"a":"\\"}',
    '{"a":NaN}',
    '\ufeff{}x',
  ])('calls %j malformed', (text) => expect(scan(text).kind).toBe('malformed'));

  test.each(['[]', '"model"', '1', 'null', ' true '])('calls %j no object', (text) =>
    expect(scan(text).kind).toBe('not_object'),
  );

  test('names a requested member that occurs twice, however it is escaped', () => {
    expect(scan('{"model":"a","x":{"model":1,"model":2},"mode\\u006c":"b"}')).toMatchObject({
      kind: 'object',
      duplicate: 'model',
    });
    expect(scan('{"x":1,"x":2,"model":"a"}')).toMatchObject({ kind: 'object', duplicate: null });
  });

  test('accepts the deepest allowed nesting and refuses one level more', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(scan(nested(depthMax)).kind).toBe('object');
    expect(scan(nested(depthMax + 1)).kind).toBe('too_deep');
    expect(scan(`{"a":${'['.repeat(1_000_000)}`).kind).toBe('too_deep');
    expect(scan('['.repeat(1_000_000)).kind).toBe('malformed');
  });
});

const parseFault = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return String(error);
  }
};
