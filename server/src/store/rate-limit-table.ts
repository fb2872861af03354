import type { LimitMetric, LimitPeriod, LimitScope } from '@weir/contract/limits/limit-rules';
import type { Generated } from 'kysely';

/** Rules of rate limits; their forms are those of the contract. */
export interface RateLimitsTable {
  id: Generated<number>;
  scope: LimitScope;
  subject: string;
  model: string;
  metric: LimitMetric;
  period: LimitPeriod;
  amount: number;
  created_time: number;
}
