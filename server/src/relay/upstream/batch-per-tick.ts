/** Runs work at the end of the event loop's turn, in the order of the calls. */
export type BatchPerTick = (work: () => void) => void;

/** Writes of one turn are sent together: the receiver wakes up once instead of once for each write. */
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
