import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { integer, integerQuery, pageQuery, textQuery } from './wire.ts';

/** 0 all or unknown, 1 top-up, 2 consumption, 3 management, 4 system, 5 channel test. */
export const logType = { all: 0, topUp: 1, consume: 2, manage: 3, system: 4, test: 5 } as const;

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

const ownFilters = {
  type: integerQuery,
  token_name: textQuery,
  /** The token itself: names may be equal, and change. 0: any. */
  token_id: integerQuery,
  model_name: textQuery,
  /** Unix seconds, inclusive; 0: open. */
  start_timestamp: integerQuery,
  end_timestamp: integerQuery,
};
const allFilters = {
  ...ownFilters,
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
  summary: 'One page of your log, newest first.',
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
  summary: 'Quota and tokens of your account that match the filters.',
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
  summary: 'All your matching records as a file, newest first.',
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
  summary: 'Number of your matching records, by time bucket.',
  query: v.object(ownFilters),
  data: countSchema,
});
