import type { Price } from './price/price.ts';

/** The known size of a request before it runs. */
export interface HoldQuestion {
  readonly price: Price;
  /** Prompt tokens, with its margin when they are an estimate. */
  readonly promptTokens: number;
  /** Output tokens per choice that the client allows; null: no limit. */
  readonly outputLimit: number | null;
  readonly choices: number;
  /** No upstream can be limited to less: it is all or nothing. Absent: false. */
  readonly isWhole?: boolean;
  readonly stream: boolean;
  /** The option PreConsumedQuota, in tokens. */
  readonly preConsumed: number;
  /** Quota units that the account, and the token if it is limited, can still reserve. */
  readonly free: number;
}

export type HoldPlan =
  | {
      readonly kind: 'hold';
      /** Quota units. */
      readonly amount: number;
      /** Output tokens that the amount covers beside the prompt. */
      readonly outputTokens: number;
      /** Output tokens per choice that the upstream must be limited to, since the balance covers no more. */
      readonly outputCap: number | null;
    }
  | { readonly kind: 'short'; /** Quota units that the smallest useful answer needs. */ readonly needed: number };

/** Output tokens that a stream holds at first, and the least of a plain answer that bounds nothing. */
export const firstSlice = 512;
const plainUnbounded = 4096;
const sliceMax = 4096;

/** Output tokens to hold with an unlimited balance: never more than the request itself bounds. */
const wantedOutput = ({ outputLimit, choices, stream, preConsumed }: HoldQuestion): number => {
  if (outputLimit === null) return Math.max(preConsumed, stream ? firstSlice : plainUnbounded);
  const bound = outputLimit * choices;
  return stream ? Math.min(bound, firstSlice) : bound;
};

/**
 * How much to reserve before the request is sent upstream. A stream holds its first slice and grows by `nextSlice`; a
 * plain answer holds the worst case. When the balance covers less, the upstream is limited to what it covers.
 */
export const planHold = (question: HoldQuestion): HoldPlan => {
  const { price, promptTokens, choices, free, isWhole = false } = question;
  const wanted = wantedOutput(question);
  const amount = price.quota({ prompt: promptTokens, completion: wanted });
  if (amount <= free) return { kind: 'hold', amount, outputTokens: wanted, outputCap: null };
  if (isWhole) return { kind: 'short', needed: amount };
  const perChoice = Math.floor(price.affordable(free, promptTokens) / choices);
  if (perChoice < 1) return { kind: 'short', needed: price.quota({ prompt: promptTokens, completion: choices }) };
  const outputTokens = perChoice * choices;
  return {
    kind: 'hold',
    amount: price.quota({ prompt: promptTokens, completion: outputTokens }),
    outputTokens,
    outputCap: perChoice,
  };
};

/** Output tokens of the extension that follows one of `last` tokens: doubling up to 4,096. */
export const nextSlice = (last: number): number => Math.min(sliceMax, Math.max(firstSlice, last * 2));
