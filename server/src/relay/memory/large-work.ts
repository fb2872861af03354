/** Work on so many bytes takes a millisecond or more: joining, copying, parsing or writing them. */
export const largeMin = 1024 * 1024;

/** Work on large bodies and events, which runs on the main thread: one piece at a time. */
export interface LargeWork {
  /**
   * Resolves when it is the turn of work on so many bytes; what follows in the same turn of the event loop is that work.
   * Null: it need not wait.
   */
  turn(bytes: number): Promise<void> | null;
  /** Does work on so many bytes: at once, or when it is its turn. */
  run(bytes: number, work: () => void): void;
}

/** After each piece of work everything else has the event loop for as long as the work took. */
export const createLargeWork = (): LargeWork => {
  const waiting: (() => void)[] = [];
  let running = false;
  const next = (): void => {
    const begin = waiting.shift();
    running = begin !== undefined;
    if (begin === undefined) return;
    const started = performance.now();
    // The work begins once this function has returned, and is over when the next turn of the loop begins.
    begin();
    setImmediate(() => setTimeout(next, performance.now() - started));
  };
  const wait = (begin: () => void): void => {
    waiting.push(begin);
    if (running) return;
    running = true;
    setImmediate(next);
  };
  return {
    turn: (bytes) => (bytes < largeMin ? null : new Promise(wait)),
    run: (bytes, work) => {
      if (bytes < largeMin) work();
      else wait(work);
    },
  };
};

/** Of this process: it has one event loop. */
export const largeWork = createLargeWork();
