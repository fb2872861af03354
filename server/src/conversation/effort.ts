import type { Effort } from './conversation.ts';

const efforts: ReadonlySet<unknown> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
const isEffort = (value: unknown): value is Effort => efforts.has(value);

/** An effort of any dialect; null: none is named. */
export const effortOf = (value: unknown): Effort | null => (isEffort(value) ? value : null);

/** The effort that a budget of so many tokens stands for (provider notes 19.5). */
export const effortOfBudget = (budget: number): Effort => {
  if (budget <= 2048) return 'low';
  return budget <= 16_384 ? 'medium' : 'high';
};
