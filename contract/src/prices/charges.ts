import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { idParams, integer } from '../wire.ts';
import { priceSources, serviceClasses } from './price-book.ts';

/**
 * Where the tokens of a part come from: `reported` by the upstream, or counted here because it reported none
 * (`unreported`), reported nonsense (`implausible`), or broke off before it reported everything that was delivered
 * (`cut_short`).
 */
export const tokenSources = ['reported', 'unreported', 'implausible', 'cut_short'] as const;

/**
 * The steps from the exact sum to the quota that was charged, in this order; each is there only where it changed
 * something, but for `round_up`, which every sum passes through.
 * - `round_up`: to a whole unit, once
 * - `free`: the model or the group costs nothing, or nothing was used
 * - `at_least_one`: what is not free costs one unit
 * - `at_most`: the largest exact number
 * - `covered`: the stream was ended where the balance ended, and costs at most what was held
 * - `collected`: what the account had; the rest is `unrecovered`
 * - `checkpoint`: the gateway was interrupted, the last checkpoint of the stream is charged
 * - `recorded`: the row has only the amount (rows of another gateway)
 */
export const chargeRules = [
  'round_up',
  'free',
  'at_least_one',
  'at_most',
  'covered',
  'collected',
  'checkpoint',
  'recorded',
] as const;

/** An exact number as text: a decimal, or a fraction `a/b` if it has no exact decimal. */
const exact = v.string();

/** Where the price of a call came from, and what was chosen of it. */
export const chargedPriceSchema = v.object({
  source: v.picklist(priceSources),
  /** The list that has it, and the name that it is listed under. */
  vendor: v.optional(v.string()),
  model: v.optional(v.string()),
  /** The day from which it counts, as `2026-11-24`; absent: always. */
  from: v.optional(v.string()),
  /** The tier: of prompts with more tokens. */
  above: v.optional(integer),
  /** The service class that the upstream reported. */
  serviceClass: v.optional(v.picklist(serviceClasses)),
  /** The multiple by the hour and by the volume, as decimal text. */
  factor: v.optional(v.string()),
  /** The window of hours that the call came in, as `22:00–06:00 Europe/Berlin`. */
  hours: v.optional(v.string()),
  /** The volume step: the account had used more tokens of the model in the month before. */
  volume: v.optional(integer),
});
export type ChargedPrice = v.InferOutput<typeof chargedPriceSchema>;

/** Everything that is needed to check a charge by hand. */
export const chargeSchema = v.object({
  log_id: integer,
  request_id: v.string(),
  /** Unix seconds. */
  created_at: integer,
  /** The model that was priced. */
  model_name: v.string(),
  /** The requested model, where the channel redirects it to another. */
  requested_model: v.string(),
  /** Quota units charged: the `quota` of the last step. */
  quota: integer,
  /** Exact ratios; null where the row has none. */
  ratios: v.nullable(v.object({ model: exact, completion: exact, group: exact })),
  /** Null: the row does not say it. */
  price: v.nullable(chargedPriceSchema),
  /** Plain prompt tokens cost nothing; the model ratio is that of the completion, and of what parts refer to. */
  free_prompt: v.boolean(),
  /** False: no price table names the model, and the ratio for unknown models applies. */
  model_priced: v.boolean(),
  /** False: no table names the group, and 1 applies. */
  group_priced: v.boolean(),
  /** Names the tables of ratios that were in force when the request came. */
  price_version: integer,
  /** Each part costs `tokens × weight × model ratio × group ratio`. */
  parts: v.array(
    v.object({
      part: v.string(),
      tokens: integer,
      /** Price of a token of this part, as a multiple of a prompt token. */
      weight: exact,
      amount: exact,
      source: v.picklist(tokenSources),
    }),
  ),
  /** The sum of the parts, before any rounding; null where the row has no ratios. */
  sum: v.nullable(exact),
  steps: v.array(v.object({ rule: v.picklist(chargeRules), quota: integer })),
  /** The steps give exactly the quota in the ledger. */
  explained: v.boolean(),
  /** The hold of the request, in quota units; null where the row has none. */
  hold: v.nullable(
    v.object({
      reserved: integer,
      extensions: integer,
      extended: integer,
      /** Not used and given back. */
      returned: integer,
      /** Charged beyond the hold, from what else the account had. */
      beyond: integer,
    }),
  ),
  /** Quota units that the account could not pay. */
  unrecovered: integer,
  /** A part was counted here. */
  estimated: v.boolean(),
  /** The output limit per choice, in tokens, that the request was sent with because the balance covers no more; else null. */
  output_cap: v.nullable(integer),
  /** Milliseconds that the call waited for a channel with room; 0: it did not wait. */
  queued_ms: integer,
  /** How the answer ended if not as the upstream intended: truncated, failed, client_gone, balance; else empty. */
  cut: v.string(),
  /** The channels that were tried, in order; the last one served the request. `channel` is 0 for ordinary users. */
  attempts: v.array(v.object({ channel: integer, status: integer, ms: integer })),
  /**
   * What the call cost at its vendor by the list price, and what is left of the charge, both in dollars as decimal text;
   * null: not known. For administrators.
   */
  cost: v.optional(v.nullable(v.string())),
  margin: v.optional(v.nullable(v.string())),
});
export type Charge = v.InferOutput<typeof chargeSchema>;

export const explainCharge = endpoint({
  method: 'GET',
  path: '/api/log/:id/charge',
  access: 'user',
  effect: false,
  summary: 'Cost breakdown of a log row: of your own rows, those of a team of yours, or any row for administrators.',
  params: idParams,
  data: chargeSchema,
});
