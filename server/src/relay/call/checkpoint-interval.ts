/** Milliseconds between checkpoints of a stream: after a crash the last one is charged. */
export interface CheckpointInterval {
  /** A stream begins or ends. */
  streamStarted(): void;
  streamEnded(): void;
  /** Milliseconds between two notes of one stream. */
  currentMs(): number;
}

const leastMs = 1000;
/** Of all streams together: a note is counted and written, which costs as much as the events of a second. */
const perMs = 1;

/** Once a second; where more than a thousand streams run, each so much less often that all together note no more. */
export const createCheckpointInterval = (): CheckpointInterval => {
  let running = 0;
  return {
    streamStarted: () => void running++,
    streamEnded: () => void running--,
    currentMs: () => Math.max(leastMs, running / perMs),
  };
};
