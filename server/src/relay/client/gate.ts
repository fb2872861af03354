/** Counts what runs, so that a stop can wait for it. */
export const createGate = () => {
  let running = 0;
  let closed = false;
  let emptied: (() => void) | null = null;
  return {
    running: () => running,
    closed: () => closed,
    enter: () => void running++,
    leave: () => {
      running--;
      if (running === 0) emptied?.();
    },
    /** Resolves when nothing runs any more, or after `drainMs`. */
    close: async (drainMs: number): Promise<void> => {
      closed = true;
      if (running === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      emptied = resolve;
      const timer = setTimeout(resolve, drainMs);
      await promise;
      clearTimeout(timer);
    },
  };
};
