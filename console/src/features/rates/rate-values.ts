import { limitAmountMax, limitsModel } from '@weir/contract/limits/limit-rules';
import type { LimitMetric, LimitPeriod, LimitScope } from '@weir/contract/limits/limit-rules';
import type { RateLimit, RateLimitInput } from '@weir/contract/limits/rate-limits';

/** The form as it is being filled in. */
export interface RateValues {
  readonly scope: LimitScope;
  readonly subject: string;
  readonly model: string;
  readonly metric: LimitMetric;
  /** Not used for calls at the same time. */
  readonly period: Exclude<LimitPeriod, ''>;
  /** As typed. */
  readonly amount: string;
}

export const newRate: RateValues = {
  scope: 'token',
  subject: '',
  model: '',
  metric: 'requests',
  period: 'minute',
  amount: '60',
};

export const valuesOf = ({ scope, subject, model, metric, period, amount }: RateLimit): RateValues => ({
  scope,
  subject,
  model,
  metric,
  period: period === '' ? 'minute' : period,
  amount: String(amount),
});

/** The request body of the form; undefined: the amount is no whole number of the range. */
export const fieldsOf = ({ scope, subject, model, metric, period, amount }: RateValues): RateLimitInput | undefined => {
  const number = /^\s*\d+\s*$/.test(amount) ? Number(amount) : 0;
  if (number < 1 || number > limitAmountMax) return undefined;
  return {
    scope,
    subject: scope === 'model' ? '' : subject.trim(),
    model: limitsModel(scope) ? model.trim() : '',
    metric,
    period: metric === 'concurrent' ? '' : period,
    amount: number,
  };
};
