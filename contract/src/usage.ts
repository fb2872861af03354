import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { integer, integerQuery, textQuery } from './wire.ts';

/** What consumption is broken down by. Channel and user are for administrators. */
export const usageDimensions = ['model', 'token', 'channel', 'user'] as const;
const ownDimensions = ['model', 'token'] as const;

const sums = {
  requests: integer,
  /** Quota units. */
  quota: integer,
  prompt_tokens: integer,
  completion_tokens: integer,
};
const sumsSchema = v.object(sums);
export type UsageSums = v.InferOutput<typeof sumsSchema>;

const usageSchema = v.object({
  /** Unix seconds, from the first to before the second. */
  from: integer,
  before: integer,
  /** Seconds of a bucket, counted from 1970: an hour or whole UTC days. */
  step: integer,
  total: sumsSchema,
  /** The same for the preceding span of equal length. */
  total_before: sumsSchema,
  /** Refused calls, by whole quarters of an hour; those of a token under its name of today. */
  refused: integer,
  /** The largest of the dimension, most quota first. */
  names: v.array(
    v.object({
      /** The name in the buckets: a model, a key's name, or the number of a channel or user. */
      name: v.string(),
      /** Name of a channel or user; otherwise the same. */
      title: v.string(),
      ...sums,
      /** Quota units of the equally long time before. */
      quota_before: integer,
    }),
  ),
  /** Those without any are left out. Oldest first. */
  buckets: v.array(
    v.object({
      /** Unix seconds at which it begins. */
      at: integer,
      /** One of `names`; null: all others together. */
      name: v.nullable(v.string()),
      ...sums,
    }),
  ),
});
export type Usage = v.InferOutput<typeof usageSchema>;

/**
 * Unix seconds; without a start, the seven days before the end; without an end, now. At most 366 days; by key or user
 * over all users, 31.
 */
const spanQuery = { start_timestamp: integerQuery, end_timestamp: integerQuery };

export const getUsage = endpoint({
  method: 'GET',
  path: '/api/usage/',
  access: 'admin',
  effect: false,
  summary: 'Usage of all users over time, by model, token name, channel or user.',
  query: v.object({ ...spanQuery, by: v.fallback(v.picklist(usageDimensions), 'model') }),
  data: usageSchema,
});
export const getOwnUsage = endpoint({
  method: 'GET',
  path: '/api/usage/self',
  access: 'user',
  effect: false,
  summary: 'Usage of your account over time, by model or token name; with a token name or ID, usage of that token.',
  query: v.object({
    ...spanQuery,
    by: v.fallback(v.picklist(ownDimensions), 'model'),
    token_name: textQuery,
    token_id: integerQuery,
  }),
  data: usageSchema,
});

const attemptSums = {
  /** Attempts on channels that answered. */
  succeeded: integer,
  /** Those that failed for a reason other than the request itself. */
  failed: integer,
};

export const errorCountsSchema = v.object({
  ...attemptSums,
  /** The same for the preceding 24 hours. */
  before: v.object(attemptSums),
  /** The hour that runs and the 23 before it, oldest first; `at` is the beginning of each in unix seconds. */
  hours: v.array(v.object({ at: integer, ...attemptSums })),
});
/** Outcomes of attempts on all channels over the last 24 hours. */
export type ErrorCounts = v.InferOutput<typeof errorCountsSchema>;

export const getErrorCounts = endpoint({
  method: 'GET',
  path: '/api/usage/errors',
  access: 'admin',
  effect: false,
  summary: 'Failed attempts on all channels, per hour, for the last 24 hours.',
  data: errorCountsSchema,
});

export const silenceSchema = v.object({
  /** Unix seconds. */
  since: integer,
  /** No model has calls. */
  gateway: v.boolean(),
  /** Otherwise the models that have none. */
  models: v.array(v.string()),
});
/** What had calls at this hour on most of the last seven days, at least 20 on average, and has none today. */
export type Silence = v.InferOutput<typeof silenceSchema>;

export const getSilence = endpoint({
  method: 'GET',
  path: '/api/usage/silence',
  access: 'admin',
  effect: false,
  summary: 'Models without calls that usually have calls at this hour.',
  data: silenceSchema,
});
