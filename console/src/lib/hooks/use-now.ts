import { useCallback, useSyncExternalStore } from 'react';

/** The current time in milliseconds, updated in steps: for distances such as "in 3 minutes". */
export const useNow = (stepMs: number): number => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const timer = setInterval(listener, stepMs);
      return () => clearInterval(timer);
    },
    [stepMs],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / stepMs) * stepMs);
};
