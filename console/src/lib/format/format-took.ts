/** `0.42 s`, `3.2 s`, from milliseconds. */
export const formatTook = (ms: number): string => `${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s`;
