/** Time as the money core knows it: the machine's, or a simulation's. */
export interface Timers {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Runs once after so many milliseconds; calling the result prevents it. */
  after(ms: number, run: () => void): () => void;
  /** Runs at the end of this turn of the event loop. */
  soon(run: () => void): void;
}

export const realTimers: Timers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  soon: (run) => void setImmediate(run),
};

/** Resolves after so many milliseconds. */
export const pauseFor = (timers: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => void timers.after(ms, resolve));
