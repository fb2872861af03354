import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { limitAmountMax, limitMetrics, limitPeriods, limitScopes } from './limit-rules.ts';
import { idParams, integer, integerInput, textInput, textQuery } from '../wire.ts';

const ruleEntries = {
  scope: v.picklist(limitScopes),
  /**
   * An ID of a token, user or channel, the name of a group, or a channel key as `ID/NUMBER` from 1. Empty: each one of
   * the scope has the amount for itself; `ID` of a channel key scope: each key of the channel.
   */
  subject: v.string(),
  /** Empty: each model, or a scope without models. */
  model: v.string(),
  metric: v.picklist(limitMetrics),
  period: v.picklist(limitPeriods),
} as const;

export const rateLimitSchema = v.object({
  id: integer,
  ...ruleEntries,
  amount: integer,
  /** The present name of the subject; empty: there is none. */
  subject_name: v.string(),
  /** Unix seconds. */
  created_time: integer,
});
export type RateLimit = v.InferOutput<typeof rateLimitSchema>;

const ruleInput = {
  ...ruleEntries,
  subject: v.optional(v.pipe(textInput(64), v.trim()), ''),
  model: v.optional(v.pipe(textInput(200), v.trim()), ''),
  period: v.optional(v.picklist(limitPeriods), ''),
  amount: v.pipe(integerInput, v.minValue(1), v.maxValue(limitAmountMax)),
} as const;

const createInput = v.object(ruleInput);
export type RateLimitInput = v.InferOutput<typeof createInput>;

export const listRateLimits = endpoint({
  method: 'GET',
  path: '/api/rate-limit/',
  access: 'admin',
  effect: false,
  summary: 'All rules of rate limits whose scope, subject, name or model contains the keyword.',
  query: v.object({ keyword: textQuery }),
  data: v.array(rateLimitSchema),
});
export const getRateLimit = endpoint({
  method: 'GET',
  path: '/api/rate-limit/:id',
  access: 'admin',
  effect: false,
  summary: 'One rule.',
  params: idParams,
  data: rateLimitSchema,
});
export const createRateLimit = endpoint({
  method: 'POST',
  path: '/api/rate-limit/',
  access: 'admin',
  effect: true,
  summary: 'Create a rule. It counts on every node at once.',
  body: createInput,
  data: rateLimitSchema,
});
export const updateRateLimit = endpoint({
  method: 'PUT',
  path: '/api/rate-limit/',
  access: 'admin',
  effect: true,
  summary: 'Replace a rule. What was used of the limit stays used, unless the rule now counts something else.',
  body: v.object({ id: integerInput, ...ruleInput }),
  data: rateLimitSchema,
});
export const deleteRateLimit = endpoint({
  method: 'DELETE',
  path: '/api/rate-limit/:id',
  access: 'admin',
  effect: true,
  summary: 'Delete a rule; it limits nothing from now on.',
  params: idParams,
});
