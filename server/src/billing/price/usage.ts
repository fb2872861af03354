import type { ServiceClass } from '@weir/contract/prices/price-book';
import type { Tokens } from './price.ts';
import type { ReportedParts } from './usage-parts.ts';

/** Token counts as reported, unchecked; undefined: not reported. */
export interface UsageReport {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly total: unknown;
  /** Parts of the two; absent: none are reported. */
  readonly parts?: ReportedParts;
  /** The service tier, by the vendor's name; absent: none is reported. */
  readonly serviceTier?: unknown;
}

/**
 * Why a part is counted here; `cut_short`: the answer broke off, and the report does not include everything that was
 * delivered.
 */
export type CountReason = 'unreported' | 'implausible' | 'cut_short';

/** The accepted parts of a report: null parts must be counted here. */
export interface AcceptedUsage {
  readonly prompt: number | null;
  readonly completion: number | null;
  /** Set when the sum is all that was reported. */
  readonly total: number | null;
  /** Why the parts that are null were not accepted. */
  readonly reasons: Readonly<Record<'prompt' | 'completion', CountReason>>;
}

/** No call reaches this many tokens: a larger number is an error of the upstream. */
export const tokensMax = 100_000_000;

/** Which counts a call can have caused, by its request and its answer. A larger one is an error of the upstream. */
export interface UsageBounds {
  allowsPrompt(tokens: number): boolean;
  /** `reasoning`: how many of them are reported as reasoning, which the answer may not contain. */
  allowsCompletion(tokens: number, reasoning: number): boolean;
  /** Absent: none is believed. */
  allowsClass?(reported: ServiceClass): boolean;
}

const anyUsage: UsageBounds = { allowsPrompt: () => true, allowsCompletion: () => true };

/** Minus zero, which JSON can express, is zero. */
const count = (value: unknown, allows: (tokens: number) => boolean): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= tokensMax && allows(value)
    ? Math.abs(value)
    : null;

const reasonFor = (value: unknown): CountReason =>
  value === undefined || value === null ? 'unreported' : 'implausible';

const noReport: AcceptedUsage = {
  prompt: null,
  completion: null,
  total: null,
  reasons: { prompt: 'unreported', completion: 'unreported' },
};

const reasoningIn = ({ parts }: UsageReport): number => {
  const reasoning = parts?.reasoning;
  return typeof reasoning === 'number' && Number.isSafeInteger(reasoning) && reasoning > 0 ? reasoning : 0;
};

/**
 * Judges a report (one rule each, in this order):
 * absent, null or no object: nothing is accepted. A part that is no whole number from 0 to 10^8 (negative,
 * fractional, text, absurd), or more than the call can have caused, is not accepted; a completion that is not reported
 * is the total less the prompt.
 * Both parts 0: nothing is accepted. A prompt of 0 is not accepted, since no prompt is empty. A completion of 0 is
 * accepted only when there was no output.
 */
export const acceptUsage = (
  reported: UsageReport | null,
  hasOutput: boolean,
  bounds: UsageBounds = anyUsage,
): AcceptedUsage => {
  if (reported === null) return noReport;
  const reasoning = reasoningIn(reported);
  const allowsCompletion = (tokens: number) => bounds.allowsCompletion(tokens, reasoning);
  const prompt = count(reported.prompt, (tokens) => bounds.allowsPrompt(tokens));
  const given = count(reported.completion, allowsCompletion);
  const total = count(reported.total, () => true);
  const rest = total !== null && prompt !== null && total > prompt ? count(total - prompt, allowsCompletion) : null;
  const completion = given ?? (reported.completion === undefined ? rest : null);
  return {
    prompt: prompt === 0 ? null : prompt,
    completion: completion === 0 && hasOutput ? null : completion,
    total: reported.prompt === undefined && reported.completion === undefined ? total : null,
    reasons: { prompt: reasonFor(reported.prompt), completion: reasonFor(reported.completion) },
  };
};

/** The charged usage: accepted parts as reported, the others as counted. */
export interface ChargedUsage extends Tokens {
  /** True when a part was counted here. */
  readonly estimated: boolean;
  /** The parts that were counted here, and why. */
  readonly counted: { readonly prompt?: CountReason; readonly completion?: CountReason };
}

export const nothingCounted: ChargedUsage['counted'] = {};

/** Joins report and counts: `counted` replaces the parts that were not accepted. */
export const chargeUsage = (accepted: AcceptedUsage, counted: Tokens, bounds: UsageBounds = anyUsage): ChargedUsage => {
  const { total, reasons } = accepted;
  const prompt = accepted.prompt ?? counted.prompt;
  const allowsRest = (tokens: number) => bounds.allowsCompletion(tokens, 0);
  const rest = total !== null && total > prompt ? count(total - prompt, allowsRest) : null;
  const completion = accepted.completion ?? rest;
  return {
    prompt,
    completion: completion ?? counted.completion,
    estimated: accepted.prompt === null || accepted.completion === null,
    counted: {
      ...(accepted.prompt === null && { prompt: reasons.prompt }),
      ...(completion === null && { completion: reasons.completion }),
    },
  };
};
