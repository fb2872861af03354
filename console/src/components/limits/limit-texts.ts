import type { BudgetPeriod } from '@weir/contract/limits/budget-rules';
import type { LimitMetric, LimitPeriod } from '@weir/contract/limits/limit-rules';
import { language } from '../../lib/browser/locale.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** Periods of budgets. */
export const budgetPeriodTexts: Readonly<Record<BudgetPeriod, Message>> = {
  day: m.budget_period_day,
  week: m.budget_period_week,
  month: m.budget_period_month,
};

/** What rate limits count. */
export const metricTexts: Readonly<Record<LimitMetric, Message>> = {
  requests: m.rate_metric_requests,
  tokens: m.rate_metric_tokens,
  concurrent: m.rate_metric_concurrent,
};

/** Periods of rate limits. */
export const periodTexts: Readonly<Record<LimitPeriod, Message>> = {
  minute: m.rate_period_minute,
  hour: m.rate_period_hour,
  day: m.rate_period_day,
  '': m.rate_period_none,
};

interface LimitAmount {
  readonly amount: number;
  readonly metric: LimitMetric;
  readonly period: LimitPeriod;
}

/** How much a rate limit allows, such as “200,000 tokens per minute”. */
export const amountText = ({ amount, metric, period }: LimitAmount, t: Translate): string => {
  const values = { amount: amount.toLocaleString(language()), metric: t(metricTexts[metric]) };
  return period === ''
    ? t(m.rate_amount_text, { ...values, period: '' }).trim()
    : t(m.rate_amount_text, { ...values, period: t(periodTexts[period]) });
};
