import { parentPort } from 'node:worker_threads';
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { createPairCounter } from './byte-pairs.ts';
import { imageTokens } from './image-tokens.ts';
import { approximateTokens } from './rough-tokens.ts';
import { countChat, type CountText, encodedMax, type EncodingName, pieces } from './token-count.ts';
import { readVocabulary } from './vocabulary.ts';

/** One question to the counting thread: the tokens of a text, or of a chat body as the client sent it. */
export interface CountQuestion {
  readonly id: number;
  readonly encoding: EncodingName;
  readonly kind: 'text' | 'chat';
  readonly model: string;
  readonly text: string;
}

export interface CountAnswer {
  readonly id: number;
  readonly tokens: number;
}

const splits: Readonly<Record<EncodingName, RegExp>> = {
  o200k_base: O200K_TOKEN_SPLIT_REGEX,
  cl100k_base: CL100K_TOKEN_SPLIT_REGEX,
};
const loaded = new Map<EncodingName, CountText>();

/** The package's own code would keep every token as a text: 70 MB instead of 7. */
const load = (encoding: EncodingName): CountText => {
  const file = import.meta.resolve(`gpt-tokenizer/data/${encoding}.tiktoken`);
  return createPairCounter(readVocabulary(new URL(file)), splits[encoding]);
};

const counterFor = (encoding: EncodingName): CountText => {
  const countTokens = loaded.get(encoding) ?? load(encoding);
  loaded.set(encoding, countTokens);
  let left = encodedMax;
  return (text) => {
    const encoded = text.slice(0, left);
    left -= encoded.length;
    let total = approximateTokens(Buffer.byteLength(text.slice(encoded.length)));
    for (const piece of pieces(encoded)) total += countTokens(piece);
    return total;
  };
};

const tokensOf = ({ encoding, kind, model, text }: CountQuestion): number => {
  try {
    const count = counterFor(encoding);
    if (kind === 'text') return count(text);
    return countChat(JSON.parse(text), { text: count, image: (image) => imageTokens(image, model) });
  } catch {
    return approximateTokens(Buffer.byteLength(text));
  }
};

parentPort?.on('message', (questions: readonly CountQuestion[]) => {
  parentPort?.postMessage(questions.map((question) => ({ id: question.id, tokens: tokensOf(question) })));
});
