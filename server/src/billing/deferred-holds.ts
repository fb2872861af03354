import type { EventLoopTimers } from '../store/ledger/event-loop-timers.ts';

/** A hold that is written only when its request takes longer than a moment. */
export interface DeferredHold {
  /** Where it waits, and since when; the list's to set. Not waiting: no place. */
  waits: { position: number; readonly since: number } | null;
  write(): void;
}

/** Holds that wait. */
export interface DeferredHolds {
  add(hold: DeferredHold): void;
  /** It is written already, or its request is over. */
  remove(hold: DeferredHold): void;
  close(): void;
}

/** Answers in one piece often come sooner than this, also where a full processor keeps them waiting. */
const waitMs = 100;

/**
 * Keeps the holds of answers that come in one piece back for a moment: a fast answer then costs one posting instead of
 * two. Money stays safe where this process is the only one that spends: it reserves in memory first, nothing reaches a
 * client before its settlement, and a crash takes the unsettled requests with it.
 */
export const createDeferredHolds = (timers: EventLoopTimers): DeferredHolds => {
  const waiting: DeferredHold[] = [];
  let stopWaiting: (() => void) | undefined;

  const remove = (hold: DeferredHold) => {
    const { waits } = hold;
    if (waits === null) return;
    hold.waits = null;
    // The last one takes the place: what is over must not be kept from the collector until its time has come.
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
