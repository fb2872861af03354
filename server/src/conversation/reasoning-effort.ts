import type { Effort, Reasoning } from './conversation.ts';

const efforts: ReadonlySet<unknown> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
const isEffort = (value: unknown): value is Effort => efforts.has(value);

/** An effort of any dialect; null: none is named. */
export const effortOf = (value: unknown): Effort | null => (isEffort(value) ? value : null);

/** The effort that equals a budget of this many tokens (provider notes 19.5). */
export const effortOfBudget = (budget: number): Effort => {
  if (budget <= 2048) return 'low';
  return budget <= 16_384 ? 'medium' : 'high';
};

/** Whether reasoning is requested. */
export const wantsReasoning = ({ effort, budget }: Reasoning): boolean => effort !== 'none' && budget !== 0;

/** The requested effort, or the one that equals the budget; null: the default of the vendor. */
export const wantedEffort = ({ effort, budget }: Reasoning): Effort | null =>
  effort ?? (budget === null ? null : effortOfBudget(budget));

const levels = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const satisfies Record<Effort, string>;

/** The nearest of three levels, for models that know no other and always reason. */
export const levelOf = (effort: Effort): 'low' | 'medium' | 'high' => levels[effort];
