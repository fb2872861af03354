import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { idParams, integer, textQuery } from '../wire.ts';
import { runEnds } from './run-rules.ts';

export const runSchema = v.object({
  id: integer,
  /** As its calls name it. */
  name: v.string(),
  user_id: integer,
  username: v.string(),
  /** The token of its first call; an empty name: it was deleted. */
  token_id: integer,
  token_name: v.string(),
  /** Unix seconds. */
  started_at: integer,
  /** Of the latest call, a second late. */
  last_at: integer,
  /** From then on calls are refused; 0: never. */
  ends_at: integer,
  /** When it was ended; 0: it was not. */
  ended_at: integer,
  /** Calls that were admitted. */
  calls: integer,
  /** 0: no limit. */
  calls_max: integer,
  /** Quota that it may spend; 0: no limit. */
  amount: integer,
  /** Quota that running calls hold. */
  held: integer,
  /** Quota that was charged. */
  used: integer,
  /** Why it takes no more calls; empty: it does. */
  end: v.picklist(['', ...runEnds]),
});
export type Run = v.InferOutput<typeof runSchema>;

/** What the logged calls of one step cost with one model. */
const stepSchema = v.object({
  /** Levels with slashes between; empty: the calls named none. */
  step: v.string(),
  model: v.string(),
  calls: integer,
  prompt_tokens: integer,
  completion_tokens: integer,
  quota: integer,
});
export type RunStep = v.InferOutput<typeof stepSchema>;

export const listRuns = endpoint({
  method: 'GET',
  path: '/api/run/',
  access: 'user',
  effect: false,
  summary:
    'Runs of agents whose name, owner, token or ID matches the keyword, latest first, at most 1,000: your own, those of teams that you manage, and those of all for administrators.',
  query: v.object({ keyword: textQuery }),
  data: v.array(runSchema),
});
export const getRun = endpoint({
  method: 'GET',
  path: '/api/run/:id',
  access: 'user',
  effect: false,
  summary: 'One of these runs, with what each step cost by model: from the log, the dearest first, at most 2,000.',
  params: idParams,
  data: v.object({ ...runSchema.entries, steps: v.array(stepSchema) }),
});
export const endRun = endpoint({
  method: 'POST',
  path: '/api/run/:id/end',
  access: 'user',
  effect: true,
  summary: 'End a run: its further calls are refused on every node. Calls that run now go on.',
  params: idParams,
  data: runSchema,
});
