import { expect, test } from 'vitest';
import { joinPieces } from './join-pieces.ts';

const piece = (screens: string, ...modules: string[]) => ({ screens: new Set(screens), modules });
const options = { max: 2, weightOf: () => 1, sizeOf: (module: string) => (module.startsWith('big') ? 1000 : 10) };

test('pieces are joined where their screens load the fewest bytes more', () => {
  const pieces = [piece('abc', 'small'), piece('ab', 'big1'), piece('bc', 'big2')];
  const joined = joinPieces(pieces, { ...options, importsOf: () => [] });
  // Joined with either, it is no byte more for all but one screen; both large ones together are 1,000 more for two.
  expect(joined.map((modules) => [...modules].toSorted())).toContainEqual(['big2']);
  expect(joined).toHaveLength(2);
});

test('what a chunk imports is counted for every screen that loads the chunk', () => {
  const pieces = [piece('ab', 'one', 'one2'), piece('bc', 'two'), piece('cd', 'three'), piece('cdefghi', 'big')];
  const joined = (importsOf: (module: string) => readonly string[]) =>
    joinPieces(pieces, { ...options, max: 3, importsOf }).map((modules) => modules.join());
  expect(joined(() => [])).toContain('two,three');
  expect(joined((module) => (module === 'three' ? ['big'] : []))).toContain('one,one2,two');
});

test('fewer pieces than chunks stay as they are, those of most screens first', () => {
  const pieces = [piece('ab', 'one'), piece('abc', 'two')];
  expect(joinPieces(pieces, { ...options, importsOf: () => [] })).toEqual([['two'], ['one']]);
});
