/** Waits; with 0 it lets the browser paint and handle input between two tasks. */
export const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
