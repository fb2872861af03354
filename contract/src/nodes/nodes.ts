import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { integer } from '../wire.ts';

/** What a node says of its load, every few seconds. */
export const nodeLoadSchema = v.object({
  /** It stops, and takes calls for some more seconds. */
  draining: v.boolean(),
  /** Relayed calls that run. */
  calls: integer,
  /** Calls that wait for a channel with room. */
  queued: integer,
  /** Relayed calls that ended in the last minute, or since the start of a younger process, as a rate. */
  calls_minute: integer,
  /** Milliseconds: changes of other nodes older than this have arrived. */
  lag_ms: integer,
  /** Milliseconds by which the event loop was late, 99th percentile since the report before. */
  loop_ms: integer,
  /** Of one core. */
  cpu_percent: integer,
  /** Bytes of resident memory. */
  memory: integer,
  /** Writes to the database that wait. */
  writes: integer,
});
export type NodeLoad = v.InferOutput<typeof nodeLoadSchema>;

/** `running`; `draining`: it stops; `silent`: connected, without a report; `gone`: it has no connection. */
const nodeStateSchema = v.picklist(['running', 'draining', 'silent', 'gone']);
export type NodeState = v.InferOutput<typeof nodeStateSchema>;

export const nodeSchema = v.object({
  /** Its place in the list. */
  id: integer,
  name: v.string(),
  state: nodeStateSchema,
  /** The one that answers. */
  own: v.boolean(),
  version: v.string(),
  /** Unix seconds. */
  started_at: integer,
  /** Unix seconds of its last report. */
  seen_at: integer,
  /** Calls with a stored hold that this process of the node made. */
  holds: integer,
  /** Periodic work that it does for all nodes. */
  work: v.array(v.string()),
  load: nodeLoadSchema,
});
export type NodeView = v.InferOutput<typeof nodeSchema>;

export const listNodes = endpoint({
  method: 'GET',
  path: '/api/node/',
  access: 'admin',
  effect: false,
  summary: 'The nodes of this gateway by name, with their load; those that are gone for a week at most.',
  data: v.array(nodeSchema),
});
