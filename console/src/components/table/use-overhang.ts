import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

interface Overhang {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
}

/**
 * Sets `data-overhang` on a frame that scrolls sideways while columns are hidden at its right edge, where the column of
 * actions lies over them: without a mark a figure that it cuts would look like a smaller one.
 */
export const useOverhang = (): Overhang => {
  const frame = useRef<HTMLDivElement>(null);
  const update = (): void => {
    const { current } = frame;
    if (current === null) return;
    const hiddenPx = current.scrollWidth - current.clientWidth - current.scrollLeft;
    current.toggleAttribute('data-overhang', hiddenPx > 1);
  };
  useEffect(() => {
    const { current } = frame;
    if (current === null) return undefined;
    const watcher = new ResizeObserver(update);
    for (const element of [current, ...current.children]) watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return { frame, onScroll: update };
};
