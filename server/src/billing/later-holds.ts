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
export const createLaterHolds = (): LaterHolds => {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  const sweep = () => {
    timer = undefined;
    const limit = performance.now() - waitMs;
    const fresh = waiting.findIndex(({ since }) => since > limit);
    const old = fresh < 0 ? waiting : waiting.slice(0, fresh);
    waiting = fresh < 0 ? [] : waiting.slice(fresh);
    for (const { hold } of old) if (!hold.isNeedless()) hold.write();
    if (waiting.length > 0) timer = setTimeout(sweep, waitMs / 2);
  };
  return {
    add: (hold) => {
      waiting.push({ hold, since: performance.now() });
      timer ??= setTimeout(sweep, waitMs);
    },
    close: () => clearTimeout(timer),
  };
};
