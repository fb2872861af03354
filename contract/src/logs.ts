import * as v from 'valibot';
import { restReasons, routeVerdicts } from './channel-route.ts';
import { endpoint } from './endpoint.ts';
import { idParams, integer, integerQuery, pageQuery, textQuery } from './wire.ts';

/**
 * 0 all or unknown, 1 top-up, 2 consumption, 3 management, 4 system, 5 channel test. 20 refused call: a number that One
 * API and its forks do not use. Refused calls are listed only where their type is requested, and are no part of 0.
 */
export const logType = { all: 0, topUp: 1, consume: 2, manage: 3, system: 4, test: 5, refused: 20 } as const;

export const logSchema = v.object({
  id: integer,
  user_id: integer,
  /** Unix seconds. */
  created_at: integer,
  type: integer,
  content: v.string(),
  username: v.string(),
  token_name: v.string(),
  model_name: v.string(),
  /** Quota units charged. */
  quota: integer,
  prompt_tokens: integer,
  completion_tokens: integer,
  /** Channel id; 0 for ordinary users. */
  channel: integer,
  /** Empty for ordinary users, and where no channel served the call. */
  channel_name: v.string(),
  request_id: v.string(),
  /** Milliseconds from the request's arrival to its settlement. */
  elapsed_time: integer,
  is_stream: v.boolean(),
  system_prompt_reset: v.boolean(),
  /** Of a refused call: the rule that refused it, and the HTTP status of its answer. Absent from every other record. */
  refusal: v.optional(v.object({ rule: v.string(), status: integer })),
  /** The run that the call belonged to, and where in its work. Absent where it named none. */
  run: v.optional(v.object({ id: integer, step: v.string() })),
  /** What the call or channel test cost at its vendor, in dollars as decimal text; null: not known. For administrators. */
  cost: v.optional(v.nullable(v.string())),
});
export type Log = v.InferOutput<typeof logSchema>;

/** A record with every member empty: the defaults of members that another server leaves out. */
export const emptyLog: Log = {
  id: 0,
  user_id: 0,
  created_at: 0,
  type: logType.all,
  content: '',
  username: '',
  token_name: '',
  model_name: '',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  channel: 0,
  channel_name: '',
  request_id: '',
  elapsed_time: 0,
  is_stream: false,
  system_prompt_reset: false,
};

const filters = {
  type: integerQuery,
  token_name: textQuery,
  /** The token itself: names may be equal, and change. 0: any. */
  token_id: integerQuery,
  model_name: textQuery,
  /** Unix seconds, inclusive; 0: open. */
  start_timestamp: integerQuery,
  end_timestamp: integerQuery,
};
const ownFilters = {
  ...filters,
  /** A team, for its managers; for other members, with the `token_id` of a token that they made. 0: the own account. */
  team: integerQuery,
};
const allFilters = {
  ...filters,
  username: textQuery,
  channel: integerQuery,
  /** 1: without channel tests where `type` is 0, as one run of tests fills pages. */
  without_tests: integerQuery,
};
const statSchema = v.object({ quota: integer, token: integer });

export const listLogs = endpoint({
  method: 'GET',
  path: '/api/log/',
  access: 'admin',
  effect: false,
  summary: 'One page of the log of all users, newest first.',
  query: v.object({ p: pageQuery, ...allFilters }),
  data: v.array(logSchema),
});
export const listOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self',
  access: 'user',
  effect: false,
  summary: 'One page of your log, or of a team of yours, newest first.',
  query: v.object({ p: pageQuery, ...ownFilters }),
  data: v.array(logSchema),
});
export const statLogs = endpoint({
  method: 'GET',
  path: '/api/log/stat',
  access: 'admin',
  effect: false,
  summary: 'Quota and tokens of all users that match the filters.',
  query: v.object(allFilters),
  data: statSchema,
});
export const statOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/stat',
  access: 'user',
  effect: false,
  summary: 'Quota and tokens of your account, or of a team of yours, that match the filters.',
  query: v.object(ownFilters),
  data: statSchema,
});
export const searchLogs = endpoint({
  method: 'GET',
  path: '/api/log/search',
  access: 'admin',
  effect: false,
  summary:
    'The newest 100 records by type, by request ID, or (among the newest records other than consumption) by start of the text.',
  query: v.object({ keyword: textQuery }),
  data: v.array(logSchema),
});
export const searchOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/search',
  access: 'user',
  effect: false,
  summary: 'Your newest 100 records by type or request ID.',
  query: v.object({ keyword: textQuery }),
  data: v.array(logSchema),
});
/** What refuses a call: the codes of the relay's errors, and the kinds of failed upstreams behind `upstream_`. */
export const refusalRules = [
  'token_missing',
  'token_invalid',
  'token_used_up',
  'token_expired',
  'token_rolled',
  'token_unavailable',
  'token_empty',
  'token_subnet',
  'user_banned',
  'model_forbidden',
  'channel_forbidden',
  'channel_invalid',
  'channel_disabled',
  'no_channel',
  'invalid_api_type',
  'unsupported_endpoint',
  'path_outside',
  'unknown_path',
  'model_unknown',
  'invalid_json',
  'invalid_text_request',
  'prompt_missing',
  'size_not_supported',
  'prompt_too_long',
  'n_not_within_range',
  'text_too_long',
  'body_too_large',
  'form_too_large',
  'browser_navigation',
  'content_type',
  'body_encoding',
  'insufficient_user_quota',
  'pre_consume_token_quota_failed',
  'budget_used_up',
  'model_unpriced',
  'run_invalid',
  'run_ended_stopped',
  'run_ended_time',
  'run_ended_calls',
  'run_budget_used_up',
  'run_many',
  'memory_call',
  'memory_user',
  'memory_process',
  'rate_limit_requests',
  'rate_limit_tokens',
  'rate_limit_concurrent',
  'rate_limit_channels',
  'queue_full',
  'queue_timeout',
  'unknown_state',
  'overloaded',
  'stopping',
  'database_unavailable',
  'internal',
  'upstream_account',
  'upstream_rate_limit',
  'upstream_timeout',
  'upstream_unreachable',
  'upstream_server',
  'upstream_bad_answer',
  'upstream_request',
  'upstream_setup',
] as const;
/** One of `refusalRules`. */
export type RefusalRule = (typeof refusalRules)[number];

/** A channel of a refused call's route, with the reason why it was not taken. */
const refusalRouteSchema = v.object({
  id: integer,
  name: v.string(),
  verdict: v.picklist(routeVerdicts),
  /** The paused keys: which, why, and until when in unix seconds. */
  rests: v.array(v.object({ key: integer, reason: v.picklist(restReasons), until: integer })),
});
export type RefusalChannel = v.InferOutput<typeof refusalRouteSchema>;

export const refusalSchema = v.object({
  log_id: integer,
  request_id: v.string(),
  /** Unix seconds. */
  created_at: integer,
  /** One of `refusalRules`; another version may have others. */
  rule: v.string(),
  status: integer,
  /** The text that the client got. */
  message: v.string(),
  /** Of the request, without its query. */
  path: v.string(),
  /** 0: no user is known. */
  user_id: integer,
  /** 0: no token has the key, or the request had none. */
  token_id: integer,
  model_name: v.string(),
  group: v.string(),
  /** The last characters of a key that no token has; empty: it is too short, or the token is known. */
  key_tail: v.string(),
  /** The client's address, where the user is not known; for administrators. */
  address: v.string(),
  /** The answer's `Retry-After`: seconds or a date; empty: it had none. */
  retry_after: v.string(),
  /** Refused calls of the same user, token (or network) and rule within this quarter of an hour, this one included. */
  similar: integer,
  /** Every channel that lists the model, at the time of the call, for administrators; null: the rule does not depend on it. */
  route: v.nullable(v.array(refusalRouteSchema)),
  /** The channels that were tried, in order; `channel` is 0 for ordinary users. */
  attempts: v.array(v.object({ channel: integer, status: integer, ms: integer })),
});
export type Refusal = v.InferOutput<typeof refusalSchema>;

export const explainRefusal = endpoint({
  method: 'GET',
  path: '/api/log/:id/refusal',
  access: 'user',
  effect: false,
  summary:
    'Why a call was refused, by the ID of its record of type 20: your own calls, those of a team of yours, or any call for administrators.',
  params: idParams,
  data: refusalSchema,
});

export const clearLogs = endpoint({
  method: 'DELETE',
  path: '/api/log/',
  access: 'admin',
  effect: true,
  summary:
    'Delete the records of all users before a moment (unix seconds), and their part of the totals. The answer is their number; where it takes long, the number so far, and the rest follows.',
  query: v.object({ target_timestamp: integerQuery }),
  data: integer,
});

const formatQuery = v.fallback(v.picklist(['csv', 'jsonl']), 'csv');
const files = ['text/csv', 'application/jsonl'] as const;

export const exportLogs = endpoint({
  method: 'GET',
  path: '/api/log/export',
  access: 'admin',
  effect: false,
  summary: 'All matching records of all users as a file, newest first.',
  query: v.object({ ...allFilters, format: formatQuery }),
  files,
});
export const exportOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/export',
  access: 'user',
  effect: false,
  summary: 'All matching records of you, or of a team of yours, as a file, newest first.',
  query: v.object({ ...ownFilters, format: formatQuery }),
  files,
});

const countSchema = v.object({
  /** Seconds of a bucket. */
  step: integer,
  /** Records of all buckets together. */
  total: integer,
  /** Those without a record are left out. Oldest first. */
  buckets: v.array(
    v.object({
      /** Unix seconds at which it begins. */
      at: integer,
      /** Records of every type that match the filters. */
      records: integer,
      /** Quota units, of consumption. */
      quota: integer,
      /** Tokens of prompts and completions, of consumption. */
      tokens: integer,
    }),
  ),
});
export type LogCount = v.InferOutput<typeof countSchema>;

export const countLogs = endpoint({
  method: 'GET',
  path: '/api/log/count',
  access: 'admin',
  effect: false,
  summary: 'Number of matching records of all users, by time bucket.',
  query: v.object(allFilters),
  data: countSchema,
});
export const countOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/count',
  access: 'user',
  effect: false,
  summary: 'Number of matching records of you, or of a team of yours, by time bucket.',
  query: v.object(ownFilters),
  data: countSchema,
});
