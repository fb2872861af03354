import type { PriceCard, PriceSource, ServiceClass } from '@weir/contract/prices/price-book';
import { add, multiply, ratio, ratioToNumber, ratioToText, roundUp, type Ratio } from './ratio.ts';
import { isChargedPart, type PartRatios, type PartTokens, sideOf } from './usage-parts.ts';

/** Tokens of one call, both whole and at least 0. */
export interface Tokens {
  readonly prompt: number;
  readonly completion: number;
  /** Tokens, included in the numbers above, that may have a price of their own. */
  readonly parts?: PartTokens;
  /** The service class that the upstream reports, if it has prices of its own. */
  readonly serviceClass?: ServiceClass | undefined;
}

/** What a call is counted in that has no tokens. */
export type CallUnit = keyof NonNullable<PriceCard['units']>;

/** Where a price comes from. */
export interface PriceOrigin {
  readonly source: PriceSource;
  /** The list that has it, and the name that it is listed under; absent: not from a list. */
  readonly vendor?: string;
  readonly model?: string;
  /** The day from which it counts, as `2026-11-24`. */
  readonly from?: string;
  /** What was chosen of it: prompts above so many tokens, a service class, a multiple by the hour or by the volume. */
  readonly above?: number;
  readonly serviceClass?: ServiceClass;
  readonly factor?: string;
}

/** The price of a call, fixed when it starts: a later change of the ratios does not affect it. */
export interface Price {
  /** Version of the ratio options it was made from. */
  readonly version: number;
  readonly model: Ratio;
  readonly completion: Ratio;
  readonly group: Ratio;
  /** Prices of parts of the prompt and of the completion, relative to the other tokens of their side. */
  readonly parts: PartRatios;
  /** Plain prompt tokens cost nothing; `model` is the price of the completion, and of what parts of the prompt refer to. */
  readonly freePrompt: boolean;
  /** The prompt is counted in characters: the list has a price for each. */
  readonly perCharacter: boolean;
  readonly origin: PriceOrigin;
  /** Calls at this price are refused: no table names the model. */
  readonly refused: boolean;
  /** False: no table names the model, the expensive default ratio applies. */
  readonly modelKnown: boolean;
  /** False: the group has no ratio; 1 applies. */
  readonly groupKnown: boolean;
  /** `ratio: m × g × c` for display, each with two decimals (wire contract 3.10). */
  readonly summary: string;
  /** Members of a JSON object: the three ratios exactly, as decimals or fractions, and what is not priced. */
  readonly detail: string;
  /**
   * Quota units for these tokens, exactly, rounded up once; at least 1 unless nothing was used or the model is free.
   */
  quota(tokens: Tokens): number;
  /**
   * The most completion tokens that `amount` pays beside `promptTokens`; -1: not even the prompt. Infinite when free.
   */
  affordable(amount: number, promptTokens: number): number;
  /** The price of a call that is counted in such units instead of tokens, where the list has one; otherwise this one. */
  byUnit(unit: CallUnit): Price;
  /** The price to hold for a call that asks for a service class: the dearer one of it and of the standard class. */
  heldFor(serviceClass: ServiceClass | undefined): Price;
  /** The price for these tokens, where it depends on their number or on the service class. */
  chosenFor(tokens: Tokens): Price;
}

export type PriceParts = Pick<Price, 'version' | 'model' | 'completion' | 'group' | 'modelKnown' | 'groupKnown'> &
  Partial<Pick<Price, 'parts' | 'freePrompt' | 'perCharacter' | 'origin' | 'refused'>>;

const quotaMax = Number.MAX_SAFE_INTEGER;

const partTexts = (ratios: PartRatios): readonly (readonly [string, string])[] =>
  Object.entries(ratios).map(([part, value]) => [part, ratioToText(value)]);

/** prompt·m·g + completion·c·m·g over one common denominator; `base`: what parts of the prompt refer to. */
const common = ({ model, completion, group, freePrompt = false }: PriceParts) => {
  const perPrompt = multiply(model, group);
  const perCompletion = multiply(perPrompt, completion);
  const factor = ratio(perPrompt.over, perCompletion.over);
  const over = perCompletion.over * factor.times;
  const base = perPrompt.times * factor.over;
  return { prompt: freePrompt ? 0n : base, completion: perCompletion.times * factor.times, base, over };
};

/** Each part at its own ratio instead of 1. */
const sumWithParts = (
  { prompt, completion, parts = {} }: Tokens,
  exact: ReturnType<typeof common>,
  ratios: PartRatios,
): number => {
  let total = ratio(BigInt(prompt) * exact.prompt + BigInt(completion) * exact.completion, exact.over);
  for (const [part, tokens] of Object.entries(parts)) {
    const weight = isChargedPart(part) ? ratios[part] : undefined;
    if (weight === undefined || !isChargedPart(part)) continue;
    const side = sideOf(part);
    const whole = ratio(BigInt(tokens) * (side === 'prompt' ? exact.base : exact.completion), exact.over);
    total = add(total, multiply(whole, weight));
    total = add(total, ratio(-BigInt(tokens) * exact[side], exact.over));
  }
  const whole = roundUp(total);
  return Number(whole > BigInt(quotaMax) ? BigInt(quotaMax) : whole);
};

const detailOf = (
  { version, model, completion, group, parts = {}, freePrompt = false, modelKnown, groupKnown }: PriceParts,
  origin: PriceOrigin,
): string =>
  JSON.stringify({
    ratios: { model: ratioToText(model), completion: ratioToText(completion), group: ratioToText(group) },
    ...(Object.keys(parts).length > 0 && { part_ratios: Object.fromEntries(partTexts(parts)) }),
    ...(freePrompt && { free_prompt: true }),
    price: origin,
    price_version: version,
    ...(!modelKnown && { model_unpriced: true }),
    ...(!groupKnown && { group_unpriced: true }),
  }).slice(1, -1);

/** Makes the price of one model for one group. Amounts above 2^53 - 1 count as 2^53 - 1. */
export const createPrice = (parts: PriceParts): Price => {
  const exact = common(parts);
  const fast = { prompt: Number(exact.prompt), completion: Number(exact.completion), over: Number(exact.over) };
  const { freePrompt = false, perCharacter = false, refused = false } = parts;
  const origin = parts.origin ?? { source: parts.modelKnown ? 'built_in' : 'fallback' };
  const free = exact.base === 0n;
  const partRatios = parts.parts ?? {};
  const hasPartRatios = Object.keys(partRatios).length > 0;

  const slowSum = ({ prompt, completion }: Tokens): number => {
    const times = BigInt(prompt) * exact.prompt + BigInt(completion) * exact.completion;
    const sum = roundUp({ times, over: exact.over });
    return Number(sum > BigInt(quotaMax) ? BigInt(quotaMax) : sum);
  };
  /** Doubles are exact as long as every intermediate value stays below 2^53; beyond, big integers take over. */
  const sum = (tokens: Tokens): number => {
    const times = tokens.prompt * fast.prompt + tokens.completion * fast.completion;
    if (!(Math.abs(times) <= quotaMax) || fast.over > quotaMax) return slowSum(tokens);
    const rest = times % fast.over;
    return (times - rest) / fast.over + (rest > 0 ? 1 : 0);
  };

  const quota = (tokens: Tokens): number => {
    if (free || tokens.prompt + tokens.completion === 0) return 0;
    const plain = tokens.parts === undefined || !hasPartRatios;
    return Math.max(1, plain ? sum(tokens) : sumWithParts(tokens, exact, partRatios));
  };
  const affordable = (amount: number, promptTokens: number): number => {
    if (free) return Infinity;
    if (quota({ prompt: promptTokens, completion: 0 }) > amount) return -1;
    if (exact.completion <= 0n) return Infinity;
    const left = BigInt(amount) * exact.over - BigInt(promptTokens) * exact.prompt;
    return Number(left / exact.completion);
  };
  const [m, g, c] = [parts.model, parts.group, parts.completion].map((part) => ratioToNumber(part).toFixed(2));
  const price: Price = {
    ...parts,
    parts: partRatios,
    freePrompt,
    perCharacter,
    origin,
    refused,
    summary: `ratio: ${m} × ${g} × ${c}`,
    detail: detailOf(parts, origin),
    quota,
    affordable,
    byUnit: () => price,
    heldFor: () => price,
    chosenFor: () => price,
  };
  return price;
};
