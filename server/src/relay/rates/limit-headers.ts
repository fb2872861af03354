import type { RateLimitRow } from '../../store/rate-limits.ts';

/** A limit that a call met, as it stands after the call was counted. */
export interface Standing {
  readonly rule: RateLimitRow;
  /** Whole units that this node still admits. */
  readonly remaining: number;
  /** Milliseconds until all of the limit is free again. */
  readonly resetMs: number;
}

/** As OpenAI writes durations: `120ms`, `6.5s`, `1m30s`, `2h0m0s`. */
export const durationText = (ms: number): string => {
  if (ms < 1000) return `${Math.ceil(ms)}ms`;
  const tenths = Math.ceil(ms / 100);
  const seconds = (tenths % 600) / 10;
  const minutes = Math.floor(tenths / 600);
  if (minutes === 0) return `${seconds}s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m${seconds}s` : `${hours}h${minutes % 60}m${seconds}s`;
};

/** RFC 3339, whole seconds. */
const timeText = (unixMs: number): string =>
  new Date(Math.ceil(unixMs / 1000) * 1000).toISOString().replace('.000', '');

interface HeaderForm {
  /** The client speaks Anthropic's dialect. */
  readonly anthropic: boolean;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** Of one metric, the limit that the client meets first. */
const nearest = (standings: readonly Standing[], metric: 'requests' | 'tokens'): Standing | undefined => {
  let found: Standing | undefined;
  for (const standing of standings) {
    if (standing.rule.metric !== metric) continue;
    if (found === undefined || standing.remaining < found.remaining) found = standing;
  }
  return found;
};

/** The vendors' headers of limits, as names and values; none for metrics without a rule. */
export const limitHeaders = (standings: readonly Standing[], { anthropic, nowMs }: HeaderForm): string[] =>
  (['requests', 'tokens'] as const).flatMap((metric) => {
    const standing = nearest(standings, metric);
    if (standing === undefined) return [];
    const { rule, remaining, resetMs } = standing;
    const values = [String(rule.amount), String(remaining)] as const;
    return anthropic
      ? [
          `anthropic-ratelimit-${metric}-limit`,
          values[0],
          `anthropic-ratelimit-${metric}-remaining`,
          values[1],
          `anthropic-ratelimit-${metric}-reset`,
          timeText(nowMs + resetMs),
        ]
      : [
          `x-ratelimit-limit-${metric}`,
          values[0],
          `x-ratelimit-remaining-${metric}`,
          values[1],
          `x-ratelimit-reset-${metric}`,
          durationText(resetMs),
        ];
  });
