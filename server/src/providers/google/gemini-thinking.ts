import type { Effort, Reasoning } from '../../conversation/conversation.ts';
import type { Json } from '../../conversation/json.ts';
import { wantsReasoning } from '../../conversation/reasoning-effort.ts';

/** How thinking is configured (provider notes 6): not at all, by tokens, or by level. */
export const thinkingOf = (model: string): 'none' | 'budget' | 'level' => {
  if (/gemini-2\.5/.test(model)) return 'budget';
  return /gemini-(?:[01]|2\.0|pro$|pro-vision)|gemma|-tts|embedding|imagen/.test(model) ? 'none' : 'level';
};

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};
/** Pro models cannot turn thinking off. */
const proBudgetMin = 128;

const levels: Readonly<Record<Effort, string>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

const effortFor = (budget: number): Effort => {
  if (budget <= 0) return 'none';
  if (budget <= budgets.low) return 'low';
  return budget <= budgets.medium ? 'medium' : 'high';
};

const budgetOf = ({ effort, budget }: Reasoning, isPro: boolean): number | null => {
  if (budget !== null) return isPro ? Math.max(budget, proBudgetMin) : budget;
  if (effort === null) return null;
  if (!isPro) return budgets[effort];
  return effort === 'none' || effort === 'minimal' ? proBudgetMin : budgets[effort];
};

const levelOf = ({ effort, budget }: Reasoning, isPro: boolean): string | null => {
  const requested = effort ?? (budget === null ? null : effortFor(budget));
  if (requested === null) return null;
  const level = levels[requested];
  return isPro && level === 'MINIMAL' ? 'LOW' : level;
};

/** `thinkingConfig`; null: it is left out. */
export const geminiThinking = (reasoning: Reasoning | null, model: string): Json | null => {
  const kind = thinkingOf(model);
  if (reasoning === null || kind === 'none') return null;
  const isPro = /-pro/.test(model);
  const visible = { includeThoughts: reasoning.visible && wantsReasoning(reasoning) };
  if (kind === 'budget') {
    const budget = budgetOf(reasoning, isPro);
    return budget === null ? visible : { thinkingBudget: budget, ...visible };
  }
  const level = levelOf(reasoning, isPro);
  return level === null ? visible : { thinkingLevel: level, ...visible };
};
