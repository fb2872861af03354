import { useCallback, useSyncExternalStore } from 'react';

const known = new Map<string, MediaQueryList>();

/** Cached: querying the browser costs as much as rendering a row. */
const mediaOf = (query: string): MediaQueryList => {
  const media = known.get(query) ?? matchMedia(query);
  known.set(query, media);
  return media;
};

export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = mediaOf(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => mediaOf(query).matches);
};

/** Narrower than 768 px: lists become cards, sheets become pages. */
export const usePhone = (): boolean => useMedia('(max-width: 767.9px)');
