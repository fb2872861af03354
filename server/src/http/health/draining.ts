import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** The time between the order to stop and the end of taking calls. */
export interface Draining {
  isDraining(): boolean;
  /**
   * Refuses readiness from now on, and resolves after the time in which balancers find other nodes. Then no connection is
   * accepted any more, and the first call on each of those that were is still taken.
   */
  drain(ms: number, stopListening: () => void): Promise<void>;
}

/** For calls on connections that were accepted, and are not read yet. */
const acceptedMs = 500;

export const createDraining = (): Draining => {
  let draining = false;
  return {
    isDraining: () => draining,
    drain: async (ms, stopListening) => {
      draining = true;
      if (ms === 0) return;
      await sleep(ms);
      // Right after the waiting connections were accepted: the others are reset by the system.
      await turn();
      stopListening();
      await sleep(acceptedMs);
    },
  };
};
