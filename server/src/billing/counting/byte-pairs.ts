import type { CountText } from './token-count.ts';
import { unranked, type Vocabulary } from './vocabulary.ts';

/** Bytes of UTF-8 that one unit of a JavaScript text takes at most. */
const bytesPerUnit = 3;

/** Memory for one word, grown to the longest word so far. */
const createScratch = () => {
  const of = (size: number) => ({
    bytes: new Uint8Array(size),
    /** The start of each part of the word, and the word's end. */
    starts: new Int32Array(size + 1),
    /** The rank of each part joined with the next one. */
    joins: new Int32Array(size),
  });
  let scratch = of(1024);
  return (size: number) => {
    if (scratch.bytes.length < size) scratch = of(size);
    return scratch;
  };
};

type Scratch = ReturnType<ReturnType<typeof createScratch>>;

/**
 * The number of tokens of bytes that are not one token themselves: the two neighbours whose join has the lowest rank
 * are joined, the first such pair first, until no join is a token.
 */
const mergedCount = (vocabulary: Vocabulary, { bytes, starts, joins }: Scratch, length: number): number => {
  let parts = length;
  const joinOf = (part: number): number =>
    part + 2 > parts ? unranked : vocabulary.rank(bytes, starts[part] ?? 0, starts[part + 2] ?? 0);
  for (let i = 0; i <= length; i++) starts[i] = i;
  for (let i = 0; i < length; i++) joins[i] = joinOf(i);
  for (;;) {
    let lowest: number = unranked;
    let at = -1;
    for (let i = 0; i < parts; i++) {
      const join = joins[i] ?? unranked;
      if (join < lowest) {
        lowest = join;
        at = i;
      }
    }
    if (at < 0) return parts;
    starts.copyWithin(at + 1, at + 2, parts + 1);
    joins.copyWithin(at, at + 1, parts);
    parts -= 1;
    joins[at] = joinOf(at);
    if (at > 0) joins[at - 1] = joinOf(at - 1);
  }
};

/** Counts the tokens of texts that `split` cuts into words first. Marks with a meaning of their own are plain text. */
export const createPairCounter = (vocabulary: Vocabulary, split: RegExp): CountText => {
  const encoder = new TextEncoder();
  const scratchFor = createScratch();
  return (text) => {
    let total = 0;
    for (const [word] of text.matchAll(split)) {
      const scratch = scratchFor(word.length * bytesPerUnit);
      const { written } = encoder.encodeInto(word, scratch.bytes);
      total += vocabulary.rank(scratch.bytes, 0, written) === unranked ? mergedCount(vocabulary, scratch, written) : 1;
    }
    return total;
  };
};
