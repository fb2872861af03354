/** How often streams note what a crash would have to charge them for. */
export interface NotePace {
  /** A stream begins or ends. */
  enter(): void;
  leave(): void;
  /** Milliseconds between two notes of one stream. */
  intervalMs(): number;
}

const leastMs = 1000;
/** Of all streams together: a note is counted and written, which costs as much as the events of a second. */
const perMs = 1;

/** Once a second; where more than a thousand streams run, each so much less often that all together note no more. */
export const createNotePace = (): NotePace => {
  let running = 0;
  return {
    enter: () => void running++,
    leave: () => void running--,
    intervalMs: () => Math.max(leastMs, running / perMs),
  };
};
