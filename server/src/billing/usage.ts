import type { Tokens } from './price.ts';

/** Token counts as somebody reported them, unchecked; undefined: not reported. */
export interface UsageReport {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly total: unknown;
}

/** What to believe of a report: null parts must be counted here. */
export interface BelievedUsage {
  readonly prompt: number | null;
  readonly completion: number | null;
  /** Set when the sum is all that was reported. */
  readonly total: number | null;
}

/** No call of any model comes near this many tokens: a larger figure is an error of the upstream. */
export const tokensMax = 100_000_000;

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= tokensMax ? value : null;

/**
 * Judges a report (one rule each, in this order):
 * absent, null or no object: nothing is believed. A part that is no whole number from 0 to 10^8 (negative,
 * fractional, text, absurd) is not believed; a completion that is not reported is the total less the prompt.
 * Both parts 0: nothing is believed. A prompt of 0 is not believed, since no prompt is empty. A completion of 0 is
 * believed only when nothing was put out.
 */
export const believeUsage = (reported: UsageReport | null, hasOutput: boolean): BelievedUsage => {
  if (reported === null) return { prompt: null, completion: null, total: null };
  const prompt = count(reported.prompt);
  const given = count(reported.completion);
  const total = count(reported.total);
  const rest = total !== null && prompt !== null && total > prompt ? total - prompt : null;
  const completion = given ?? (reported.completion === undefined ? rest : null);
  return {
    prompt: prompt === 0 ? null : prompt,
    completion: completion === 0 && hasOutput ? null : completion,
    total: reported.prompt === undefined && reported.completion === undefined ? total : null,
  };
};

/** What is charged: the believed parts, the counted ones in place of the others. */
export interface ChargedUsage extends Tokens {
  /** True when a part was counted here. */
  readonly estimated: boolean;
}

/** Joins belief and counts: `counted` stands in for the parts that are not believed. */
export const chargeUsage = (believed: BelievedUsage, counted: Tokens): ChargedUsage => {
  const { total } = believed;
  const prompt = believed.prompt ?? counted.prompt;
  const rest = total !== null && total > prompt ? total - prompt : null;
  return {
    prompt,
    completion: believed.completion ?? rest ?? counted.completion,
    estimated: believed.prompt === null || believed.completion === null,
  };
};
