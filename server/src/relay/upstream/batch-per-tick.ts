/** Runs work at the end of the event loop's turn, in the order it came. */
export type BatchPerTick = (work: () => void) => void;

/**
 * What leaves the process in one turn leaves together: the one who waits for it wakes up once, and finds the rest
 * while he is awake, where writes that are apart wake him for each.
 */
export const createBatchPerTick = (): BatchPerTick => {
  let waiting: (() => void)[] = [];
  const flush = () => {
    const due = waiting;
    waiting = [];
    for (const work of due) work();
  };
  return (work) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(work);
  };
};
