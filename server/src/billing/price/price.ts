import type { PriceCard, PriceSource, ServiceClass } from '@weir/contract/prices/price-book';
import { multiply, ratio, ratioToNumber, ratioToText, roundUp, type Ratio } from './ratio.ts';
import type { ChargedPart } from '@weir/contract/prices/usage-parts';
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
  /** The window of hours that the call came in, as `22:00–06:00 Europe/Berlin`. */
  readonly hours?: string;
  /** The volume step: more tokens of the model in the month before the call. */
  readonly volume?: number;
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

type Exact = ReturnType<typeof common>;

/** What a token of a part costs beyond one of its side, over the same denominator as the sides. */
interface ExactParts extends Pick<Exact, 'prompt' | 'completion' | 'over'> {
  readonly beyond: readonly (readonly [ChargedPart, bigint])[];
}

const partsOver = ({ prompt, completion, base, over }: Exact, ratios: PartRatios): ExactParts => {
  const weights = Object.entries(ratios).flatMap(([part, weight]) =>
    isChargedPart(part) ? [[part, weight] as const] : [],
  );
  const scale = weights.reduce((all, [, weight]) => all * ratio(all, weight.over).over, 1n);
  const beyond = weights.map(([part, weight]) => {
    const [full, plain] = sideOf(part) === 'prompt' ? [base, prompt] : [completion, completion];
    return [part, full * weight.times * (scale / weight.over) - plain * scale] as const;
  });
  return { prompt: prompt * scale, completion: completion * scale, over: over * scale, beyond };
};

const limited = (times: bigint, over: bigint): number => {
  const whole = roundUp({ times, over });
  return Number(whole > BigInt(quotaMax) ? BigInt(quotaMax) : whole);
};

/** Sums tokens with parts: in doubles as long as every product and sum stays below 2^53, otherwise in big integers. */
const partsSum = (exact: ExactParts): ((tokens: Tokens) => number) => {
  const [perPrompt, perCompletion, over] = [Number(exact.prompt), Number(exact.completion), Number(exact.over)];
  const beyond = exact.beyond.map(([part, times]) => [part, Number(times)] as const);
  const slow = ({ prompt, completion, parts = {} }: Tokens): number => {
    let times = BigInt(prompt) * exact.prompt + BigInt(completion) * exact.completion;
    for (const [part, more] of exact.beyond) times += BigInt(parts[part] ?? 0) * more;
    return limited(times, exact.over);
  };
  return (tokens) => {
    const { prompt, completion, parts = {} } = tokens;
    let times = prompt * perPrompt + completion * perCompletion;
    let size = Math.abs(prompt * perPrompt) + Math.abs(completion * perCompletion);
    for (const [part, more] of beyond) {
      const product = (parts[part] ?? 0) * more;
      times += product;
      size += Math.abs(product);
    }
    if (!(size <= quotaMax) || over > quotaMax) return slow(tokens);
    const rest = times % over;
    return (times - rest) / over + (rest > 0 ? 1 : 0);
  };
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

  const sumWithParts = partsSum(partsOver(exact, partRatios));

  const slowSum = ({ prompt, completion }: Tokens): number =>
    limited(BigInt(prompt) * exact.prompt + BigInt(completion) * exact.completion, exact.over);
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
    return Math.max(1, plain ? sum(tokens) : sumWithParts(tokens));
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
