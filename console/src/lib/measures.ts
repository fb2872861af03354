/** What a chart of use shows. */
export const measures = ['quota', 'requests', 'tokens'] as const;
export type Measure = (typeof measures)[number];
