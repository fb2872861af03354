/** The time that postings depend on: the event loop's, or a simulation's. */
export interface EventLoopTimers {
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** Runs once after `ms` milliseconds. The returned function cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs at the end of the current iteration of the event loop. */
  soon(run: () => void): void;
}

export const systemTimers: EventLoopTimers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  soon: (run) => void setImmediate(run),
};

/** Resolves after `ms` milliseconds. */
export const delay = (timers: EventLoopTimers, ms: number): Promise<void> =>
  new Promise((resolve) => void timers.after(ms, resolve));
