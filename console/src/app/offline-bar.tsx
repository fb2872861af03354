import { useSyncExternalStore } from 'react';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/** Says that what is on screen cannot be refreshed at the moment. */
export const OfflineBar = () => {
  const t = useT();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (online) return null;
  return (
    <p role="status" className="bg-warn-bg px-4 py-1 text-center text-13 text-warn">
      {t(m.offline)}
    </p>
  );
};
