interface LoopTimes {
  readonly pauseMs: number;
  /** Until the first run; absent: none. */
  readonly firstMs?: number;
}

/**
 * Does work again and again, with a pause after each run, until the returned function ends it: the signal tells the work
 * to stop, and its end is awaited. A failure is reported, and the work repeated all the same.
 */
export const startLoop = (
  work: (signal: AbortSignal) => Promise<void>,
  { pauseMs, firstMs }: LoopTimes,
  onError: (error: unknown) => void,
): (() => Promise<void>) => {
  const closing = new AbortController();
  const { signal } = closing;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = work(signal)
      // A stop takes the database away under the work.
      .catch((error: unknown) => signal.aborted || onError(error))
      .then(() => {
        if (!signal.aborted) runIn(pauseMs);
      });
  };
  const runIn = (ms: number): void => {
    timer = setTimeout(run, ms).unref();
  };
  if (firstMs === undefined) run();
  else runIn(firstMs);
  return async () => {
    closing.abort();
    clearTimeout(timer);
    await running;
  };
};
