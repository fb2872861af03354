import { useEffect, useState } from 'react';

/** Seconds until a request may be repeated; 0: now. `start` begins the cool-down. */
export const useCooldown = (seconds: number): { readonly left: number; readonly start: () => void } => {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(setLeft, 1000, left - 1);
    return () => clearTimeout(timer);
  }, [left]);
  return { left, start: () => setLeft(seconds) };
};
