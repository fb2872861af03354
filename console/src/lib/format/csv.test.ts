import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('LOG-07 writes a byte order mark, a header and one line per row', () => {
  expect(toCsv(['name', 'quota'], [['日志', 12]])).toBe('\uFEFFname,quota\r\n日志,12\r\n');
});

test('LOG-07 quotes commas, quotes and line ends', () => {
  expect(toCsv(['a'], [['x,y'], ['say "hi"'], ['two\nlines']])).toBe(
    '\uFEFFa\r\n"x,y"\r\n"say ""hi"""\r\n"two\nlines"\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('LOG-07 keeps spreadsheets from running %j', (cell) => {
  expect(toCsv(['a'], [[cell]])).toContain(`'${cell}`);
});

test('LOG-07 leaves negative numbers numbers', () => {
  expect(toCsv(['a'], [[-5]])).toBe('\uFEFFa\r\n-5\r\n');
});
