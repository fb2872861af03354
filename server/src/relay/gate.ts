/** Counts the running requests, so that a stop can wait for them. */
export interface Gate {
  running(): number;
  closed(): boolean;
  enter(): void;
  leave(): void;
  /** Resolves when no request runs any more, or after `drainMs`. */
  close(drainMs: number): Promise<void>;
}

export const createGate = (): Gate => {
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
    close: async (drainMs) => {
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
