/** Work that no request awaits, such as a mail whose response must not reveal whether it was sent. */
export interface Background {
  /** Starts the work. False: too much is running, and it was not started. */
  run(work: () => Promise<void>): boolean;
  /** Waits for running work, which has its own time limits. */
  close(): Promise<void>;
}

interface BackgroundDeps {
  readonly onError: (error: unknown) => void;
}

const runningMax = 256;

export const createBackground = ({ onError }: BackgroundDeps): Background => {
  const running = new Set<Promise<void>>();
  return {
    run: (work) => {
      if (running.size >= runningMax) return false;
      const job = work()
        .catch(onError)
        .finally(() => running.delete(job));
      running.add(job);
      return true;
    },
    close: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
