import type { Timers } from '../store/timers.ts';

/** A hold that is written only when its request takes longer than a moment. */
export interface LaterHold {
  /** The request was settled or released, or its hold was written. */
  isNeedless(): boolean;
  write(): void;
}

/** Holds that wait, in the order they came. */
export interface LaterHolds {
  add(hold: LaterHold): void;
  close(): void;
}

/** Answers in one piece often come sooner than this. */
const waitMs = 10;

interface Waiting {
  readonly hold: LaterHold;
  readonly since: number;
}

/**
 * Keeps the holds of answers that come in one piece back for a moment: a fast answer then costs one posting instead of
 * two. Money stays safe where this process is the only one that spends: it reserves in memory first, nothing reaches a
 * client before its settlement, and a crash takes the unsettled requests with it.
 */
export const createLaterHolds = (timers: Timers): LaterHolds => {
  let waiting: Waiting[] = [];
  let stopWaiting: (() => void) | undefined;

  const sweep = () => {
    stopWaiting = undefined;
    const limit = timers.now() - waitMs;
    const fresh = waiting.findIndex(({ since }) => since > limit);
    const old = fresh < 0 ? waiting : waiting.slice(0, fresh);
    waiting = fresh < 0 ? [] : waiting.slice(fresh);
    for (const { hold } of old) if (!hold.isNeedless()) hold.write();
    if (waiting.length > 0) stopWaiting = timers.after(waitMs / 2, sweep);
  };
  return {
    add: (hold) => {
      waiting.push({ hold, since: timers.now() });
      stopWaiting ??= timers.after(waitMs, sweep);
    },
    close: () => stopWaiting?.(),
  };
};
