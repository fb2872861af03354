import { useEffect, useState } from 'react';

/** Seconds until something may be asked for again; 0: it may be. `start` begins the wait. */
export const useCooldown = (seconds: number): { readonly left: number; readonly start: () => void } => {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(setLeft, 1000, left - 1);
    return () => clearTimeout(timer);
  }, [left]);
  return { left, start: () => setLeft(seconds) };
};
