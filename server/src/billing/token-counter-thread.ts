import { parentPort } from 'node:worker_threads';
import { approximateTokens } from './rough-tokens.ts';
import { countChat, type CountText, type EncodingName, pieces } from './token-count.ts';

/** One question to the counting thread: the tokens of a text, or of a chat body as the client sent it. */
export interface CountQuestion {
  readonly id: number;
  readonly encoding: EncodingName;
  readonly kind: 'text' | 'chat';
  readonly text: string;
}

export interface CountAnswer {
  readonly id: number;
  readonly tokens: number;
}

/** Characters of one question that are encoded; what lies beyond is estimated by its length. */
const encodedMax = 1_000_000;

const load = (encoding: EncodingName) =>
  encoding === 'o200k_base'
    ? import('gpt-tokenizer/encoding/o200k_base')
    : import('gpt-tokenizer/encoding/cl100k_base');

const noSpecial = { disallowedSpecial: new Set<string>() };

const counterFor = async (encoding: EncodingName): Promise<CountText> => {
  const { countTokens } = await load(encoding);
  let left = encodedMax;
  return (text) => {
    const encoded = text.slice(0, left);
    left -= encoded.length;
    let total = approximateTokens(Buffer.byteLength(text.slice(encoded.length)));
    for (const piece of pieces(encoded)) total += countTokens(piece, noSpecial);
    return total;
  };
};

const answer = async ({ id, encoding, kind, text }: CountQuestion): Promise<CountAnswer> => {
  const count = await counterFor(encoding);
  return { id, tokens: kind === 'text' ? count(text) : countChat(JSON.parse(text), count) };
};

parentPort?.on('message', (question: CountQuestion) => {
  answer(question).then(
    (result) => parentPort?.postMessage(result),
    () => parentPort?.postMessage({ id: question.id, tokens: approximateTokens(Buffer.byteLength(question.text)) }),
  );
});
