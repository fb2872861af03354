import type { OutputCounter } from '../counting/output-counter.ts';
import type { Tokens } from './price.ts';
import { serviceClassOf } from './service-class.ts';
import { acceptParts } from './usage-parts.ts';
import {
  type AcceptedUsage,
  acceptUsage,
  chargeUsage,
  type ChargedUsage,
  nothingCounted,
  type UsageBounds,
  type UsageReport,
} from './usage.ts';

/** The measurements that a charge is made from. */
export interface Measured {
  /** The latest report of the upstream; null: none. */
  readonly reported: UsageReport | null;
  readonly output: Pick<OutputCounter, 'empty' | 'total'>;
  /** What the report can be believed within. Absent: the report is no upstream's. */
  readonly bounds?: UsageBounds;
  /** Counts the prompt. Called only where the report is not accepted. */
  countPrompt(): Promise<number>;
  /** False: the answer broke off, so that the report may be older than what was delivered. */
  readonly complete: boolean;
}

/** The service class that is reported, where the call can have had it. */
const classIn = ({ reported, bounds }: Measured): Pick<Tokens, 'serviceClass'> => {
  const serviceClass = serviceClassOf(reported?.serviceTier);
  return serviceClass !== undefined && bounds?.allowsClass?.(serviceClass) === true ? { serviceClass } : {};
};

/**
 * The tokens to charge. Accepted parts of the report are used; the others are counted. Of an answer that broke off at
 * least what was delivered is charged.
 */
export const measure = (measured: Measured): ChargedUsage | Promise<ChargedUsage> => {
  const { reported, output, bounds, complete } = measured;
  // Whether there was output matters only to a report of 0, and may be costly to find out.
  const accepted = acceptUsage(reported, reported?.completion === 0 && !output.empty(), bounds);
  if (complete && accepted.prompt !== null && accepted.completion !== null) {
    const { prompt, completion } = accepted;
    const charged = { prompt, completion, estimated: false, counted: nothingCounted, ...classIn(measured) };
    return reported?.parts === undefined ? charged : { ...charged, parts: acceptParts(reported.parts, accepted) };
  }
  return count(measured, accepted);
};

const count = async (measured: Measured, accepted: AcceptedUsage): Promise<ChargedUsage> => {
  const { reported, output, bounds, countPrompt, complete } = measured;
  const needsOutput = accepted.completion === null || !complete;
  const [prompt, completion] = await Promise.all([
    accepted.prompt === null ? countPrompt() : accepted.prompt,
    needsOutput ? output.total() : 0,
  ]);
  const sides = { prompt: accepted.prompt, completion: complete ? accepted.completion : null };
  const parts = acceptParts(reported?.parts, sides);
  const usage = { ...chargeUsage(accepted, { prompt, completion }, bounds), parts, ...classIn(measured) };
  if (complete || usage.completion >= completion) return usage;
  return { ...usage, completion, estimated: true, counted: { ...usage.counted, completion: 'cut_short' } };
};
