/** Headers of a relayed call that belongs to a run of an agent. */
export const runHeaders = {
  /** Names the run: 1 to 100 printable characters without spaces. */
  id: 'x-run-id',
  /** Where in the run's work the call belongs: at most 8 levels with slashes between, as `plan/search`. */
  step: 'x-run-step',
  /** Of the run's first call: quota units that it may spend. */
  budget: 'x-run-budget',
  /** Of the run's first call: calls that it may make. */
  calls: 'x-run-max-calls',
  /** Of the run's first call: seconds until it ends. */
  seconds: 'x-run-seconds',
} as const;

export const runQuotaMax = 1e15;
export const runCallsMax = 1e9;
export const runSecondsMax = 366 * 86_400;

/** Why a run takes no more calls: it was ended by hand, its time is over, or it has made its calls. */
export const runEnds = ['stopped', 'time', 'calls'] as const;
export type RunEnd = (typeof runEnds)[number];

/** Why a run takes no more calls; null: it does. Times are unix seconds; 0: none. */
export const runEndOf = (
  run: { readonly ended_at: number; readonly ends_at: number; readonly calls: number; readonly calls_max: number },
  now: number,
): RunEnd | null => {
  if (run.ended_at > 0) return 'stopped';
  if (run.ends_at > 0 && now >= run.ends_at) return 'time';
  return run.calls_max > 0 && run.calls >= run.calls_max ? 'calls' : null;
};
