import type { Tokens } from './price.ts';
import type { ReportedParts } from './usage-parts.ts';

/** Token counts as somebody reported them, unchecked; undefined: not reported. */
export interface UsageReport {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly total: unknown;
  /** Parts of the two; absent: none are reported. */
  readonly parts?: ReportedParts;
}

/** Why a part is counted here; `cut_short`: the answer broke off, and the report does not tell of all that was delivered. */
export type CountReason = 'unreported' | 'implausible' | 'cut_short';

/** What to believe of a report: null parts must be counted here. */
export interface BelievedUsage {
  readonly prompt: number | null;
  readonly completion: number | null;
  /** Set when the sum is all that was reported. */
  readonly total: number | null;
  /** Why the parts that are null are not believed. */
  readonly reasons: Readonly<Record<'prompt' | 'completion', CountReason>>;
}

/** No call of any model comes near this many tokens: a larger figure is an error of the upstream. */
export const tokensMax = 100_000_000;

/** Minus zero, which JSON can say, is zero. */
const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= tokensMax ? Math.abs(value) : null;

const reasonFor = (value: unknown): CountReason =>
  value === undefined || value === null ? 'unreported' : 'implausible';

const noReport: BelievedUsage = {
  prompt: null,
  completion: null,
  total: null,
  reasons: { prompt: 'unreported', completion: 'unreported' },
};

/**
 * Judges a report (one rule each, in this order):
 * absent, null or no object: nothing is believed. A part that is no whole number from 0 to 10^8 (negative,
 * fractional, text, absurd) is not believed; a completion that is not reported is the total less the prompt.
 * Both parts 0: nothing is believed. A prompt of 0 is not believed, since no prompt is empty. A completion of 0 is
 * believed only when nothing was put out.
 */
export const believeUsage = (reported: UsageReport | null, hasOutput: boolean): BelievedUsage => {
  if (reported === null) return noReport;
  const prompt = count(reported.prompt);
  const given = count(reported.completion);
  const total = count(reported.total);
  const rest = total !== null && prompt !== null && total > prompt ? total - prompt : null;
  const completion = given ?? (reported.completion === undefined ? rest : null);
  return {
    prompt: prompt === 0 ? null : prompt,
    completion: completion === 0 && hasOutput ? null : completion,
    total: reported.prompt === undefined && reported.completion === undefined ? total : null,
    reasons: { prompt: reasonFor(reported.prompt), completion: reasonFor(reported.completion) },
  };
};

/** What is charged: the believed parts, the counted ones in place of the others. */
export interface ChargedUsage extends Tokens {
  /** True when a part was counted here. */
  readonly estimated: boolean;
  /** The parts that were counted here, and why. */
  readonly counted: { readonly prompt?: CountReason; readonly completion?: CountReason };
}

export const nothingCounted: ChargedUsage['counted'] = {};

/** Joins belief and counts: `counted` stands in for the parts that are not believed. */
export const chargeUsage = (believed: BelievedUsage, counted: Tokens): ChargedUsage => {
  const { total, reasons } = believed;
  const prompt = believed.prompt ?? counted.prompt;
  const rest = total !== null && total > prompt ? total - prompt : null;
  const completion = believed.completion ?? rest;
  return {
    prompt,
    completion: completion ?? counted.completion,
    estimated: believed.prompt === null || believed.completion === null,
    counted: {
      ...(believed.prompt === null && { prompt: reasons.prompt }),
      ...(completion === null && { completion: reasons.completion }),
    },
  };
};
