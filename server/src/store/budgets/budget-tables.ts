import type { BudgetPeriod, BudgetScope } from '@weir/contract/limits/budget-rules';
import type { Generated } from 'kysely';

/** What may be spent in each day, week or month of a time zone. */
export interface BudgetsTable {
  id: Generated<number>;
  scope: BudgetScope;
  /** The ID of a token or a user; 0: it is of a model. */
  subject_id: number;
  /** Empty: it is of a token or a user. */
  model: string;
  period: BudgetPeriod;
  /** IANA name. */
  zone: string;
  /** Quota units for a period. */
  amount: number;
  /** 1: what a period leaves is added to the next one, at most the amount. */
  rollover: number;
  /** 1: calls beyond it are refused; 0: it is counted, and alert rules may report it. */
  hard: number;
  /** 1: made by an administrator; the owner of the token may not change it. */
  by_admin: number;
  created_time: number;
}

/** One period of a budget, from its first call. What may still be spent is `granted - held - used`; it may be negative. */
export interface BudgetPeriodsTable {
  id: Generated<number>;
  /** Of a run: its ID, negated. */
  budget_id: number;
  starts_at: number;
  /** The start of the next period. */
  ends_at: number;
  /** The amount, and what was carried over to it or from it. */
  granted: number;
  /** Sum of the open holds that name the period. */
  held: number;
  /** Sum of the charges that name the period, whenever they were made. */
  used: number;
}
