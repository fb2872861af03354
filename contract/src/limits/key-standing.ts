import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { budgetPeriods } from './budget-rules.ts';
import { limitMetrics, limitPeriods } from './limit-rules.ts';
import { integer, textInput } from '../wire.ts';

/** Calls that are shown. */
export const standingCallsMax = 20;

const standingSchema = v.object({
  name: v.string(),
  /** As in `tokens.ts`. */
  status: integer,
  /** Unix seconds; -1: never. */
  expired_time: integer,
  /** Until when this key works, as it was replaced by another; 0: it is the present one. */
  valid_until: integer,
  unlimited_quota: v.boolean(),
  /** Quota units still to spend; 0 where it is unlimited: what the account has is not told. */
  remain_quota: integer,
  used_quota: integer,
  /** The models that it can call now. */
  models: v.array(v.string()),
  /** Budgets of the token, with their present periods. */
  budgets: v.array(
    v.object({
      period: v.picklist(budgetPeriods),
      zone: v.string(),
      hard: v.boolean(),
      granted: integer,
      held: integer,
      used: integer,
      period_end: integer,
    }),
  ),
  /** Rate limits that count for the token. */
  limits: v.array(
    v.object({
      metric: v.picklist(limitMetrics),
      period: v.picklist(limitPeriods),
      amount: integer,
      /** Empty: all models. */
      model: v.string(),
    }),
  ),
  /** Its last charged calls, latest first. */
  calls: v.array(
    v.object({
      id: integer,
      created_at: integer,
      model_name: v.string(),
      prompt_tokens: integer,
      completion_tokens: integer,
      quota: integer,
      /** Milliseconds. */
      elapsed_time: integer,
      request_id: v.string(),
    }),
  ),
});
export type KeyStanding = v.InferOutput<typeof standingSchema>;

export const getKeyStanding = endpoint({
  method: 'POST',
  path: '/api/key/standing',
  access: 'public',
  effect: true,
  summary:
    'What a key may still do, for its holder, who needs no account: quota, budgets, rate limits, models and the last calls. The key is in the body.',
  body: v.object({ key: v.pipe(textInput(256), v.trim(), v.minLength(1)) }),
  data: standingSchema,
});
