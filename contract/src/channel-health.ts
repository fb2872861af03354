import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { idParams, integer } from './wire.ts';

/**
 * How attempts on a channel fail: its key or account is refused, it limits its callers, it does not answer in time or at
 * all, it breaks, its answer is none, the request itself is at fault, or the channel is not set up completely.
 */
export const channelErrorKinds = [
  'account',
  'rate_limit',
  'timeout',
  'unreachable',
  'server',
  'bad_answer',
  'request',
  'setup',
] as const;
/** One of `channelErrorKinds`. */
export type ChannelErrorKind = (typeof channelErrorKinds)[number];

/** Attempts within a stretch of time. Failures for which the request itself is at fault count for nothing here. */
const attemptsSchema = v.object({
  succeeded: integer,
  failed: integer,
  /** Milliseconds until an attempt answered: half of them, and 95 of 100, were no slower; 0: none answered. */
  p50: integer,
  p95: integer,
});

export const channelHealthSchema = v.object({
  /** The reason why the system disabled the channel; empty: it did not. */
  status_reason: v.string(),
  /** The last 60 minutes, and the 24 hours below. */
  hour: attemptsSchema,
  day: attemptsSchema,
  /** The hour that runs and the 23 before it, oldest first; `at` is the beginning of each in unix seconds. */
  hours: v.array(v.object({ at: integer, ...attemptsSchema.entries })),
  /** Failures of these 24 hours by kind, the most frequent first. */
  errors: v.array(v.object({ kind: v.picklist(channelErrorKinds), count: integer })),
  /** The latest failures, newest first. */
  failures: v.array(
    v.object({
      at: integer,
      kind: v.picklist(channelErrorKinds),
      /** The upstream's status; 0: it gave none. */
      status: integer,
      message: v.string(),
      model: v.string(),
      request_id: v.string(),
    }),
  ),
  /** Consumption of these 24 hours by model and by key, the costliest first. */
  models: v.array(v.object({ model: v.string(), requests: integer, quota: integer })),
  keys: v.array(v.object({ username: v.string(), token_name: v.string(), requests: integer, quota: integer })),
});
/** Health of a channel. */
export type ChannelHealth = v.InferOutput<typeof channelHealthSchema>;

export const getChannelHealth = endpoint({
  method: 'GET',
  path: '/api/channel/:id/health',
  access: 'admin',
  effect: false,
  summary: 'Recent health of a channel: successes, latency, failures and usage.',
  params: idParams,
  data: channelHealthSchema,
});

export const channelActivitySchema = v.object({
  id: integer,
  /** Attempts of the last 24 hours, and of the last hour. Failures for which the request itself is at fault are not counted. */
  succeeded: integer,
  failed: integer,
  hour_succeeded: integer,
  hour_failed: integer,
  /** Charged requests and quota units of these 24 hours. */
  requests: integer,
  quota: integer,
});
/** The traffic of a channel over the last 24 hours. */
export type ChannelActivity = v.InferOutput<typeof channelActivitySchema>;

export const listChannelActivity = endpoint({
  method: 'GET',
  path: '/api/channel/activity',
  access: 'admin',
  effect: false,
  summary: 'Attempts, requests and spend of every channel over the last 24 hours; channels without any are left out.',
  data: v.array(channelActivitySchema),
});

/** Which channels a test run goes through: all, or those that are disabled. */
export const testScopes = ['all', 'disabled'] as const;

export const channelTestRunSchema = v.object({
  running: v.boolean(),
  scope: v.picklist(testScopes),
  /** Unix seconds; 0: there was no run since the start of this process. */
  started_time: integer,
  /** 0: still running. */
  finished_time: integer,
  total: integer,
  tested: integer,
  failed: integer,
  /** Channels that the run disabled and enabled. */
  disabled: integer,
  enabled: integer,
  /** It was ended before it had tested every channel. */
  cancelled: v.boolean(),
  /** The channel under test; empty: none. */
  current: v.string(),
});
/** A run of tests over many channels, or the last one. */
export type ChannelTestRun = v.InferOutput<typeof channelTestRunSchema>;

export const getChannelTestRun = endpoint({
  method: 'GET',
  path: '/api/channel/test_run',
  access: 'admin',
  effect: false,
  summary: 'Progress of the running channel test, or the result of the last one.',
  data: channelTestRunSchema,
});
export const cancelChannelTestRun = endpoint({
  method: 'DELETE',
  path: '/api/channel/test_run',
  access: 'admin',
  effect: true,
  summary: 'Stop the running channel test. Results so far are kept.',
  data: channelTestRunSchema,
});
