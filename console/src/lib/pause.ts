/** Waits; for no time at all it lets the browser paint and answer input between two pieces of work. */
export const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
