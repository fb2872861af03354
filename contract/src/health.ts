import * as v from 'valibot';

/** Answered with 200 as long as the process runs, whatever it can reach. */
export const livenessPaths = ['/healthz', '/livez', '/health'] as const;
/** Answered with 200 while the node should get calls, otherwise with 503. */
export const readinessPath = '/readyz';

const partSchema = v.object({
  ok: v.boolean(),
  /** A fixed text, never the message of an error. */
  reason: v.string(),
});

/** Whether a node should get calls, with the reason for each part. */
export const readinessSchema = v.object({
  ready: v.boolean(),
  parts: v.object({
    /** False from the signal to stop on. */
    serving: partSchema,
    /** It answers a query. */
    database: partSchema,
    /** It has the tables of this version. */
    migrations: partSchema,
    /** Changes made on other nodes arrive. */
    changes: partSchema,
  }),
});
export type Readiness = v.InferOutput<typeof readinessSchema>;
