import type { RelayFailure } from '../../providers/provider.ts';
import type { RelayedCall } from './relayed-call.ts';

type QuotableCall = Pick<RelayedCall, 'path' | 'query' | 'contentType' | 'headers' | 'rest'> & {
  readonly inbound: Pick<RelayedCall['inbound'], 'bytes' | 'model'>;
};

/** A longer body is not searched, which would take the event loop tens of milliseconds: it counts as quoted. */
const searchedMax = 1024 * 1024;

const unescaped = (text: string): string =>
  text
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[bfnrt]/g, ' ');

/** Without punctuation and line breaks, which may differ in a quotation. */
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Every run of half of the words: the upstream's own sentence around a quotation may complete the phrase. */
const halves = (words: readonly string[]): readonly string[] => {
  const length = Math.ceil(words.length / 2);
  return words.slice(0, words.length - length + 1).map((_, index) => words.slice(index, index + length).join(' '));
};

const isQuoted = (phrase: string, { inbound, path, query, contentType, headers, rest }: QuotableCall): boolean => {
  if (rest !== null || inbound.bytes.length > searchedMax) return true;
  const parts = [path, query, contentType, inbound.model, ...Object.values(headers), inbound.bytes.toString()];
  const request = wordsOf(unescaped(parts.join('\n'))).join(' ');
  return halves(wordsOf(phrase)).some((half) => request.includes(half));
};

/**
 * The failure without its refusal of the account, where the words that state it may come from the request: a client must
 * not be able to disable a channel whose upstream quotes it. The next call without such words shows a true refusal.
 */
export const withoutQuotedRefusal = (failure: RelayFailure, call: QuotableCall): RelayFailure => {
  const { refusesAccount, refusingWords, ...others } = failure;
  if (refusingWords === undefined || refusesAccount !== true || !isQuoted(refusingWords, call)) return failure;
  return { ...others, quotesRequest: true };
};
