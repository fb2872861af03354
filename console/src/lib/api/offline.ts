import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/** Whether the browser reports that it has no network; without that report it counts as online. */
export const isOffline = (): boolean => navigator.onLine === false;

/** The same as a hook. */
export const useOffline = (): boolean => useSyncExternalStore(subscribe, isOffline);
