import type { Timers } from '../timers.ts';

/** Units that share one commit at most; what is more waits for the next. */
export const batchMax = 512;

/** How long a busy loop may gather for one commit; an idle one sends at once. */
const gatherMaxMs = 1;

/** Where this many shared a commit, so many come that each waits for the processor longer than for its commit. */
const crowd = 16;
/** A commit costs about the same for 15 units and for 60: in a crowd, fewer of them leave time for the requests. */
const crowdedMaxMs = 4;

interface GatherOptions {
  /** Units that wait. */
  readonly count: () => number;
  readonly send: () => void;
  readonly timers: Timers;
}

/**
 * Sends at the end of a turn of the event loop that brought nothing new. There is no timer: a loop with nothing else
 * to do sends at once, and under load requests that arrive together share a commit.
 */
export const createGather = ({ count, send, timers }: GatherOptions): (() => void) => {
  let planned = false;
  let lastCount = 0;
  return () => {
    if (planned) return;
    planned = true;
    const started = timers.now();
    const maxMs = lastCount < crowd ? gatherMaxMs : crowdedMaxMs;
    let seen = 0;
    const turn = () => {
      const waiting = count();
      if (waiting > seen && waiting < batchMax && timers.now() - started < maxMs) {
        seen = waiting;
        timers.soon(turn);
        return;
      }
      planned = false;
      lastCount = waiting;
      send();
    };
    timers.soon(turn);
  };
};
