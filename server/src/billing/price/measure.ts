import type { OutputCounter } from '../counting/output-counter.ts';
import { believeParts } from './usage-parts.ts';
import {
  type BelievedUsage,
  believeUsage,
  chargeUsage,
  type ChargedUsage,
  nothingCounted,
  type UsageReport,
} from './usage.ts';

/** What is known of a call when it is time to charge it. */
export interface Measured {
  /** The latest report of the upstream; null: none. */
  readonly reported: UsageReport | null;
  readonly output: Pick<OutputCounter, 'empty' | 'total'>;
  /** Counts the prompt. Called only where the report is not believed. */
  countPrompt(): Promise<number>;
  /** False: the answer broke off, so that the report may be older than what was delivered. */
  readonly complete: boolean;
}

/**
 * The tokens to charge. Believed parts of the report stand; the others are counted. Of an answer that broke off at least
 * what was delivered is charged.
 */
export const measure = (measured: Measured): ChargedUsage | Promise<ChargedUsage> => {
  const { reported, output, complete } = measured;
  // Whether anything was put out matters to a report of 0 alone, and may be costly to find out.
  const believed = believeUsage(reported, reported?.completion === 0 && !output.empty());
  if (complete && believed.prompt !== null && believed.completion !== null) {
    const { prompt, completion } = believed;
    const charged = { prompt, completion, estimated: false, counted: nothingCounted };
    return reported?.parts === undefined ? charged : { ...charged, parts: believeParts(reported.parts, believed) };
  }
  return count(measured, believed);
};

const count = async (
  { reported, output, countPrompt, complete }: Measured,
  believed: BelievedUsage,
): Promise<ChargedUsage> => {
  const needsOutput = believed.completion === null || !complete;
  const [prompt, completion] = await Promise.all([
    believed.prompt === null ? countPrompt() : believed.prompt,
    needsOutput ? output.total() : 0,
  ]);
  const sides = { prompt: believed.prompt, completion: complete ? believed.completion : null };
  const parts = believeParts(reported?.parts, sides);
  const usage = { ...chargeUsage(believed, { prompt, completion }), parts };
  if (complete || usage.completion >= completion) return usage;
  return { ...usage, completion, estimated: true, counted: { ...usage.counted, completion: 'cut_short' } };
};
