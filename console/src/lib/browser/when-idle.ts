/** Maximum wait for an idle page. */
const restMaxMs = 500;

/** Runs a function once the page is idle; browsers without that callback wait a moment. */
export const whenIdle = (run: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: restMaxMs });
  else setTimeout(run, restMaxMs / 2);
};
