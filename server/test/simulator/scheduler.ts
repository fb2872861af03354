import type { EventLoopTimers } from '../../src/store/ledger/event-loop-timers.ts';
import type { Random } from './random.ts';

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Events of one simulated world, one after the other, in an order that the seed decides where times are equal. */
export interface Scheduler {
  /** Milliseconds since the world began. */
  now(): number;
  /** Runs once after so many milliseconds; calling the result prevents it. */
  after(ms: number, run: () => void): () => void;
  /** Runs everything, also what is added meanwhile; resolves once nothing is left. Rejects when it never ends. */
  run(eachStep: () => void): Promise<void>;
}

/** More events than any world has: something goes round in circles. */
const eventsMax = 200_000;

const before = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap: the earliest event is the first. */
const createHeap = () => {
  const events: Event[] = [];
  const swap = (one: number, other: number) => {
    const [first, second] = [events[one], events[other]];
    if (first === undefined || second === undefined) return;
    events[one] = second;
    events[other] = first;
  };
  const isBefore = (one: number, other: number): boolean => {
    const [first, second] = [events[one], events[other]];
    return first !== undefined && second !== undefined && before(first, second);
  };
  return {
    push: (event: Event) => {
      let at = events.push(event) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && isBefore(at, parent); parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
    },
    pop: (): Event | undefined => {
      swap(0, events.length - 1);
      const first = events.pop();
      for (let at = 0; ;) {
        const [left, right] = [at * 2 + 1, at * 2 + 2];
        const least = isBefore(right, left) ? right : left;
        if (!isBefore(least, at)) return first;
        swap(least, at);
        at = least;
      }
    },
  };
};

export const createScheduler = (random: Random): Scheduler => {
  const heap = createHeap();
  let now = 0;
  const after = (ms: number, run: () => void) => {
    let options = true;
    const guarded = () => {
      if (options) run();
    };
    heap.push({ at: now + ms, order: random.next(), run: guarded });
    return () => void (options = false);
  };
  const run = (eachStep: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      let count = 0;
      const step = () => {
        const event = heap.pop();
        count += 1;
        if (event === undefined) return resolve();
        if (count > eventsMax) return reject(new Error('the world does not come to rest'));
        now = event.at;
        try {
          eachStep();
          event.run();
        } catch (error) {
          return reject(error instanceof Error ? error : new Error(String(error)));
        }
        // One turn of the event loop for each event: promises settle in between, as they do in a process.
        setImmediate(step);
      };
      setImmediate(step);
    });
  return { now: () => now, after, run };
};

/** The timers of one process: they end with it. Its clock is ahead by so many milliseconds. */
export const timersOf = (scheduler: Scheduler, isAlive: () => boolean, aheadMs: number): EventLoopTimers => {
  const after = (ms: number, run: () => void) =>
    scheduler.after(ms, () => {
      if (isAlive()) run();
    });
  return { now: () => scheduler.now() + aheadMs, after, soon: (run) => void after(0, run) };
};
