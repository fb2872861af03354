import type { EventLoopTimers } from '../store/ledger/event-loop-timers.ts';

/** A hold that is written only when its request takes longer than `waitMs`. */
export interface DeferredHold {
  /** Its position in the list and the time it was added, set by the list alone; null: it is not in the list. */
  waits: { position: number; readonly since: number } | null;
  write(): void;
}

/** The list of holds that are not written yet. */
export interface DeferredHolds {
  add(hold: DeferredHold): void;
  /** The hold is written, or its request ended. */
  remove(hold: DeferredHold): void;
  close(): void;
}

/** Whole answers usually arrive sooner than this, also on a busy processor. */
const waitMs = 100;

/**
 * Delays the holds of whole answers: a fast answer then costs one posting instead of two. Quota is reserved in memory
 * first, no answer is sent before its settlement, and a crash ends the unsettled requests too. Where other nodes spend the
 * balances, the settlement of such a request is refused if it is not covered any more (`SettlePosting.setAside`).
 */
export const createDeferredHolds = (timers: EventLoopTimers): DeferredHolds => {
  const waiting: DeferredHold[] = [];
  let stopWaiting: (() => void) | undefined;

  const remove = (hold: DeferredHold) => {
    const { waits } = hold;
    if (waits === null) return;
    hold.waits = null;
    // The last hold moves to the free position, so that an ended hold can be collected at once.
    const last = waiting.pop();
    if (last === undefined || last === hold || last.waits === null) return;
    waiting[waits.position] = last;
    last.waits.position = waits.position;
  };
  const sweep = () => {
    stopWaiting = undefined;
    const limit = timers.now() - waitMs;
    for (const hold of waiting.filter(({ waits }) => waits !== null && waits.since <= limit)) {
      remove(hold);
      hold.write();
    }
    if (waiting.length > 0) stopWaiting = timers.after(waitMs / 4, sweep);
  };
  return {
    add: (hold) => {
      hold.waits = { position: waiting.length, since: timers.now() };
      waiting.push(hold);
      stopWaiting ??= timers.after(waitMs, sweep);
    },
    remove,
    close: () => stopWaiting?.(),
  };
};
