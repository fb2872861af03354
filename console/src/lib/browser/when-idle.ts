/** The longest that something waits for a rest that does not come. */
const restMaxMs = 500;

/** Runs something once the page has nothing else to do; browsers that cannot tell wait a moment. */
export const whenIdle = (run: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: restMaxMs });
  else setTimeout(run, restMaxMs / 2);
};
