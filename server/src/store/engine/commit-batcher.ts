import type { EventLoopTimers } from '../ledger/event-loop-timers.ts';

/** Most units in one commit. The others wait for the next. */
export const batchMax = 512;

/** Longest wait for further units. An idle event loop commits at once. */
const maxDelayMs = 1;

/** From this batch size on, requests wait longer for the processor than for their commit. */
export const busyBatchSize = 16;
/** A commit costs about the same for 15 units and for 60: fewer commits leave more time for the requests. */
export const busyMaxDelayMs = 4;

interface CommitBatcherOptions {
  /** The number of waiting units. */
  readonly count: () => number;
  readonly send: () => void;
  readonly timers: EventLoopTimers;
}

/**
 * Plans a commit. It is sent at the end of the first iteration of the event loop that added no unit. No timer is
 * involved: an idle loop sends at once, and under load requests that arrive together share a commit.
 */
export const createCommitBatcher = ({ count, send, timers }: CommitBatcherOptions): (() => void) => {
  let planned = false;
  let lastCount = 0;
  return () => {
    if (planned) return;
    planned = true;
    const started = timers.now();
    const delayMs = lastCount < busyBatchSize ? maxDelayMs : busyMaxDelayMs;
    let seen = 0;
    const check = () => {
      const waiting = count();
      if (waiting > seen && waiting < batchMax && timers.now() - started < delayMs) {
        seen = waiting;
        timers.soon(check);
        return;
      }
      planned = false;
      lastCount = waiting;
      send();
    };
    timers.soon(check);
  };
};
