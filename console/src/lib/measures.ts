/** The measure of a usage chart. */
export const measures = ['quota', 'requests', 'tokens'] as const;
export type Measure = (typeof measures)[number];
