import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/** Whether the browser has no network; one that cannot tell has one. */
export const isOffline = (): boolean => navigator.onLine === false;

/** The same for what is drawn. */
export const useOffline = (): boolean => useSyncExternalStore(subscribe, isOffline);
