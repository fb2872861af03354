import { useLayoutEffect, useState } from 'react';

/**
 * Runs the effects of what is drawn before the browser goes on, as React does after a press of a key or a button.
 * Preact puts them off for some frames: what opens over the page would be seen, and may have the focus, before it
 * listens for Escape.
 */
export const useEffectsAtOnce = (): void => {
  const [, setDrawn] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- it is drawn at once, and before that all waiting effects run
  useLayoutEffect(() => setDrawn(true), []);
};
