import { useCallback, useSyncExternalStore } from 'react';

export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
};

/** Narrower than 768 px: lists become cards, sheets become pages. */
export const usePhone = (): boolean => useMedia('(max-width: 767.9px)');
