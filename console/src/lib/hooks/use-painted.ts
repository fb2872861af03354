import { useEffect, useState } from 'react';

/** False until a frame was painted after the argument became true: slow content must not delay the answer to a click. */
export const usePainted = (active: boolean): boolean => {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    // A frame's callbacks run before it is painted, a timer set there runs after.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      setPainted(false);
    };
  }, [active]);
  return painted;
};
