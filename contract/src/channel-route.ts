import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { integer, textQuery } from './wire.ts';

/** Why a channel key is paused: repeated failures, a time named by its upstream, or a refused account. */
export const restReasons = ['failures', 'retry_after', 'refused'] as const;
/** One of `restReasons`. */
export type RestReason = (typeof restReasons)[number];

/**
 * The verdict of a route on a channel: the next call may go to it, it is paused, others of a higher priority are
 * available, its vendor does not serve such calls, its type is unknown, it does not serve the group, or it is disabled.
 */
export const routeVerdicts = [
  'open',
  'resting',
  'lower_priority',
  'other_format',
  'unknown_type',
  'other_group',
  'disabled',
] as const;
/** One of `routeVerdicts`. */
export type RouteVerdict = (typeof routeVerdicts)[number];

const restSchema = v.object({
  /** Which of the channel's keys, from 0. */
  key: integer,
  reason: v.picklist(restReasons),
  /** Unix seconds. */
  until: integer,
});

export const routeSchema = v.object({
  model: v.string(),
  group: v.string(),
  /** Every channel that lists the model, the most likely first. */
  channels: v.array(
    v.object({
      id: integer,
      name: v.string(),
      type: integer,
      priority: integer,
      weight: integer,
      verdict: v.picklist(routeVerdicts),
      /** Of the first calls of conversations, from 0 to 1. */
      share: v.number(),
      keys: integer,
      /** The paused keys, on the node that answered. */
      rests: v.array(restSchema),
    }),
  ),
});
/** The channels that a call could go to, with the reasons. */
export type Route = v.InferOutput<typeof routeSchema>;

export const getRoute = endpoint({
  method: 'GET',
  path: '/api/channel/route',
  access: 'admin',
  effect: false,
  summary: 'Where a call for a model would go now, and why each channel would be taken or not; nothing is sent.',
  query: v.object({
    model: textQuery,
    /** Empty: `default`. */
    group: textQuery,
    /** Of the relay, as `/v1/messages`; empty: chat completions. */
    path: textQuery,
  }),
  data: routeSchema,
});

/** A call of an administrator with this header, of any value, gets its route in `routeHeader`. */
export const explainHeader = 'x-explain-route';
/** JSON of `CallRoute`. */
export const routeHeader = 'x-route';

/** The route of a relayed call. */
export interface CallRoute {
  readonly model: string;
  readonly group: string;
  /** The channel that served the conversation before; null: there was none, or no choice. */
  readonly stays: number | null;
  readonly channels: readonly { readonly id: number; readonly verdict: RouteVerdict; readonly share: number }[];
  /** Channels that were tried, in order, with the upstream's status; 0: it gave none. */
  readonly attempts: readonly { readonly channel: number; readonly status: number; readonly ms: number }[];
}
