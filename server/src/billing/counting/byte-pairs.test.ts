import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { expect, test } from 'vitest';
import { createPairCounter } from './byte-pairs.ts';
import { readVocabulary } from './vocabulary.ts';

const counterOf = (name: string, split: RegExp) =>
  createPairCounter(readVocabulary(new URL(import.meta.resolve(`gpt-tokenizer/data/${name}.tiktoken`))), split);
const noSpecial = { disallowedSpecial: new Set<string>() };

/** Ranges of code points: plain, accented, Cyrillic, Arabic, Chinese, Korean, halves of pairs, pictures, white space. */
const ranges = [
  [0x20, 0x7e],
  [0x61, 0x7a],
  [0xa0, 0x2ff],
  [0x400, 0x4ff],
  [0x600, 0x6ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xd800, 0xdfff],
  [0x1f300, 0x1faff],
  [0x09, 0x20],
] as const;

/** Repeatable numbers from 0 up to `below`. */
const numbersFrom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const mixedTexts = (count: number): string[] => {
  const next = numbersFrom(7);
  return Array.from({ length: count }, () => {
    let [low, high] = ranges[next(ranges.length)] ?? ranges[0];
    let text = '';
    for (let left = next(60); left > 0; left--) {
      if (next(6) === 0) [low, high] = ranges[next(ranges.length)] ?? ranges[0];
      text += String.fromCodePoint(low + next(high - low + 1));
    }
    return text;
  });
};

test("RELAY-07 texts of every script come to the tokens that the package's own counter finds", () => {
  const texts = [...mixedTexts(1500), 'x'.repeat(1000), '\u00e9'.repeat(500), 'a <|endoftext|> b', '  \r\n\n def f():'];
  const o200k = counterOf('o200k_base', O200K_TOKEN_SPLIT_REGEX);
  const cl100k = counterOf('cl100k_base', CL100K_TOKEN_SPLIT_REGEX);
  expect(texts.map(o200k)).toEqual(texts.map((text) => countO200k(text, noSpecial)));
  expect(texts.map(cl100k)).toEqual(texts.map((text) => countCl100k(text, noSpecial)));
});
