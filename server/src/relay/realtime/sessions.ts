import type { RealtimeSession } from './realtime-session.ts';

/** The sessions of this node. */
export interface Sessions {
  /** Resolves at the end of a session, and rejects with what it failed by. */
  run(session: RealtimeSession): Promise<void>;
  /** From now on sessions end as soon as no answer is running. */
  stop(): void;
  /** Ends all of them. Resolves when they are settled; never rejects. */
  end(): Promise<void>;
}

export const createSessions = (): Sessions => {
  const running = new Set<RealtimeSession>();
  let stopping = false;
  return {
    run: (session) => {
      running.add(session);
      if (stopping) session.stop();
      return session.ended.finally(() => running.delete(session));
    },
    stop: () => {
      stopping = true;
      for (const session of running) session.stop();
    },
    end: async () => {
      for (const session of running) session.end({ by: 'stop' });
      await Promise.allSettled([...running].map(({ ended }) => ended));
    },
  };
};
