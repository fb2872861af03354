import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** The newest value behind a stable reference: lets memoised rows keep one callback for ever. */
export const useLatest = <T>(value: T): RefObject<T> => {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
};
