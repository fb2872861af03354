import type { RateLimitRow } from '../../store/rate-limits.ts';
import { RelayError } from '../client/relay-error.ts';
import { periodsMs } from './limit-index.ts';

/** A limit without room for a call. */
export interface FullLimit {
  readonly rule: RateLimitRow;
  /** Milliseconds until the call fits; Infinity: no time is known. */
  readonly waitMs: number;
}

/** Whole seconds to wait, 1 where no time is known. */
export const secondsOf = (waitMs: number): number =>
  Number.isFinite(waitMs) ? Math.max(1, Math.ceil(waitMs / 1000)) : 1;

/** The refusal of a call by the limit that it met. */
export const limitedBy = ({ rule: { id, metric, period, amount }, waitMs }: FullLimit): RelayError =>
  new RelayError(`rate_limit_${metric}`, {
    rule: id,
    amount,
    seconds: periodsMs[period] / 1000,
    wait: secondsOf(waitMs),
  });
