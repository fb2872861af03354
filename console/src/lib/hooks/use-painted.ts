import { useEffect, useState } from 'react';

/** False until a frame was shown since `wanted` became true: what takes long to draw lets the answer to a click go first. */
export const usePainted = (wanted: boolean): boolean => {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    if (!wanted) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    // A frame's callbacks run before it is painted, a timer set there after.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      setPainted(false);
    };
  }, [wanted]);
  return painted;
};
