import type { TokenCounter } from './token-counter.ts';

/** Counts output text piece by piece, so that a long answer is never kept in memory. */
export interface OutputCounter {
  add(text: string): void;
  /** There was no output yet. */
  empty(): boolean;
  /** UTF-16 units of everything added so far. */
  characters(): number;
  /** Tokens of everything added so far. */
  total(): Promise<number>;
}

/** Characters after which what gathered is counted. */
const batchMax = 65_536;

export const createOutputCounter = (tokens: TokenCounter, model: string): OutputCounter => {
  let texts: string[] = [];
  let length = 0;
  let counted: Promise<number> = Promise.resolve(0);
  let characters = 0;

  const count = () => {
    if (length === 0) return;
    const batch = tokens.text(model, texts.join(''));
    counted = Promise.all([counted, batch]).then(([before, now]) => before + now);
    texts = [];
    length = 0;
  };
  return {
    empty: () => characters === 0,
    characters: () => characters,
    add: (text) => {
      if (text === '') return;
      texts.push(text);
      length += text.length;
      characters += text.length;
      if (length >= batchMax) count();
    },
    total: () => {
      count();
      return counted;
    },
  };
};
