import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { integer, integerQuery, textQuery } from './wire.ts';

/** What revenue, cost and margin are broken down by; the group is the one that each user is in now. */
export const marginDimensions = ['model', 'channel', 'user', 'group'] as const;

/** Amounts of dollars are decimal text, exact to the nano-dollar. */
const amounts = {
  requests: integer,
  /** Quota units. */
  quota: integer,
  /** The same in dollars, at the quota of a dollar of now. */
  revenue: v.string(),
  /** What the calls cost at their vendors, as far as it is known. */
  cost: v.string(),
  /** Quota units of the calls whose cost is not known: they are in the revenue, and not in the margin. */
  uncosted: integer,
  /** What is left of the other calls when their vendors are paid; below 0: a loss. */
  margin: v.string(),
};

export const marginsSchema = v.object({
  /** Unix seconds, from the first to before the second. */
  from: integer,
  before: integer,
  total: v.object(amounts),
  /** Dollars of channel tests that are still in the log; in no other amount. */
  tests: v.string(),
  /** The largest, most quota first. */
  lines: v.array(
    v.object({
      /** A model, the number of a channel or user, or a group; null: all others together, the last line. */
      name: v.nullable(v.string()),
      /** Name of a channel or user; otherwise the same. */
      title: v.string(),
      ...amounts,
    }),
  ),
});
export type Margins = v.InferOutput<typeof marginsSchema>;
export type MarginAmounts = Margins['total'];

const filters = {
  /** Unix seconds, both inclusive; without a start, the seven days before the end; without an end, now. At most 366 days. */
  start_timestamp: integerQuery,
  end_timestamp: integerQuery,
  by: v.fallback(v.picklist(marginDimensions), 'model'),
  /** Only calls of this model, or of this channel. */
  model_name: textQuery,
  channel: integerQuery,
};

/** Lines of one answer, at most. */
export const marginLinesMax = 1000;

export const getMargins = endpoint({
  method: 'GET',
  path: '/api/usage/margin',
  access: 'admin',
  effect: false,
  summary: 'Revenue, cost at the vendors and margin of all users over a time, by model, channel, user or group.',
  query: v.object({
    ...filters,
    /** Lines besides that of all others; 0: 100. */
    limit: integerQuery,
  }),
  data: marginsSchema,
});

export const exportMargins = endpoint({
  method: 'GET',
  path: '/api/usage/margin/export',
  access: 'admin',
  effect: false,
  summary: 'The same as a CSV file, with at most 10,000 lines.',
  query: v.object(filters),
  files: ['text/csv'],
});
