/**
 * Does work now and again after each pause, until the returned function has ended it. A failure is reported, and the work
 * repeated all the same.
 */
export const startLoop = (
  work: () => Promise<void>,
  pauseMs: number,
  onError: (error: unknown) => void,
): (() => Promise<void>) => {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = work()
      // A stop takes the database away under the work.
      .catch((error: unknown) => closed || onError(error))
      .then(() => {
        if (!closed) timer = setTimeout(run, pauseMs).unref();
      });
  };
  run();
  return async () => {
    closed = true;
    clearTimeout(timer);
    await running;
  };
};
