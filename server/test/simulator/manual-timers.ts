import type { EventLoopTimers } from '../../src/store/ledger/event-loop-timers.ts';

/** Time that a test moves on, in milliseconds. */
export interface ManualTimers extends EventLoopTimers {
  /** Runs what becomes due on the way, one after the other; promises settle in between. */
  advance(ms: number): Promise<void>;
  /** As a process that is stopped and continued: what became due meanwhile runs at the end, late. */
  standStill(ms: number): Promise<void>;
  /** How many timers are set. */
  pending(): number;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** More than any test needs: something goes round in circles. */
const runsMax = 50_000;

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

export const createManualTimers = (): ManualTimers => {
  let timers: readonly Timer[] = [];
  let now = 0;
  const after = (ms: number, run: () => void) => {
    const timer = { at: now + ms, run };
    timers = [...timers, timer];
    return () => void (timers = timers.filter((one) => one !== timer));
  };
  const advance = async (ms: number) => {
    const end = now + ms;
    await settle();
    for (let runs = 0; ; runs += 1) {
      if (runs > runsMax) throw new Error('it does not come to rest');
      const due = timers.filter(({ at }) => at <= end);
      const at = Math.min(...due.map((timer) => timer.at));
      const next = due.find((timer) => timer.at === at);
      if (next === undefined) break;
      timers = timers.filter((timer) => timer !== next);
      now = Math.max(now, next.at);
      next.run();
      await settle();
    }
    now = end;
  };
  return {
    now: () => now,
    after,
    soon: (run) => void after(0, run),
    advance,
    standStill: (ms) => {
      now += ms;
      return advance(0);
    },
    pending: () => timers.length,
  };
};
