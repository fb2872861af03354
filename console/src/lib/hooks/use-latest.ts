import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** The newest value behind a stable reference: memoised rows keep the same callback. */
export const useLatest = <T>(value: T): RefObject<T> => {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
};
