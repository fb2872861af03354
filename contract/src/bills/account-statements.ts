import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { integer, integerQuery, textQuery } from '../wire.ts';

export const accountStatementSchema = v.object({
  user_id: integer,
  username: v.string(),
  /** `YYYY-MM`, by UTC. */
  month: v.string(),
  /** Unix seconds: the start of the month, and that of the next one. */
  from: integer,
  before: integer,
  /** The month is closed: its figures will not change. */
  closed: v.boolean(),
  /** Quota units. `opening + credited - used = closing`, from the ledger. */
  opening: integer,
  credited: integer,
  used: integer,
  closing: integer,
  /** Top-ups, grants and corrections, oldest first, at most 1,000. */
  credits: v.array(
    v.object({
      id: integer,
      /** `grant`, `invite`, `redeem`, `adjust` or `correction`. */
      kind: v.string(),
      /** Quota units; below 0: taken. */
      amount: integer,
      reason: v.string(),
      /** Unix seconds. */
      created_at: integer,
    }),
  ),
  /** Usage by UTC day and model, from the log. Models beyond the 200 with most quota are together, without a name. */
  usage: v.array(
    v.object({
      /** Unix seconds at which the day begins. */
      day: integer,
      model: v.string(),
      requests: integer,
      prompt_tokens: integer,
      completion_tokens: integer,
      quota: integer,
    }),
  ),
});
export type AccountStatement = v.InferOutput<typeof accountStatementSchema>;

/** `YYYY-MM`; empty: the month that runs, the one after the last closed one. */
const month = textQuery;

export const getOwnStatement = endpoint({
  method: 'GET',
  path: '/api/statement/self',
  access: 'user',
  effect: false,
  summary: 'Your account in one month: opening and closing balance, credits, and usage by day and model.',
  query: v.object({ month }),
  data: accountStatementSchema,
});
export const getStatement = endpoint({
  method: 'GET',
  path: '/api/statement/',
  access: 'admin',
  effect: false,
  summary: 'The same of any account.',
  query: v.object({ user_id: integerQuery, month }),
  data: accountStatementSchema,
});
export const exportOwnStatement = endpoint({
  method: 'GET',
  path: '/api/statement/self/export',
  access: 'user',
  effect: false,
  summary: 'Your account in one month as a CSV file, one line for each credit, and for each day and model.',
  query: v.object({ month }),
  files: ['text/csv'],
});
export const exportStatement = endpoint({
  method: 'GET',
  path: '/api/statement/export',
  access: 'admin',
  effect: false,
  summary: 'The same of any account.',
  query: v.object({ user_id: integerQuery, month }),
  files: ['text/csv'],
});
