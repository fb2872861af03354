/** Lets the browser paint and answer input between two pieces of work. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
