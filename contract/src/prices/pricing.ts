import * as v from 'valibot';
import { modelFacts } from '../catalogue/model-facts.ts';
import { endpoint } from '../endpoint.ts';
import { integer, textQuery } from '../wire.ts';
import { hoursSchema, unpricedRules, volumeSchema } from './price-book.ts';
import { completionParts, promptParts } from './usage-parts.ts';

/** The billing unit of a model. A thousand units of the prompt are one image of the smallest size. */
export const priceUnits = ['token', 'image', 'character'] as const;

/** An exact number as text: a decimal, or a fraction `a/b` if it has no exact decimal. */
const exact = v.string();

/** Quota units for a million, perhaps fractions of one. */
const ratesEntries = {
  input: v.number(),
  output: v.number(),
  /** Parts of the prompt or of the completion with a price of their own. */
  parts: v.array(v.object({ part: v.picklist([...promptParts, ...completionParts]), quota: v.number() })),
};

/** Prices of a model on some of the channels that offer it, without the multiples by the hour and by volume. */
const modelPriceSchema = v.object({
  ...ratesEntries,
  /** Of prompts with more tokens, the lowest first. */
  tiers: v.optional(v.array(v.object({ above: integer, ...ratesEntries }))),
  /** Quota units for each of what is priced by the piece. */
  units: v.optional(
    v.object({
      image: v.optional(v.number()),
      second: v.optional(v.number()),
      character: v.optional(v.number()),
      search: v.optional(v.number()),
    }),
  ),
  /** Tokens have no price: `input` is what the pieces are metered as. */
  by_piece: v.optional(v.boolean()),
  hours: v.optional(hoursSchema),
  /** The multiple by the hour that counts now, as decimal text. */
  factor: v.optional(exact),
  volume: v.optional(volumeSchema),
  /** The parts of the amounts, as `explainCharge` gives them for each request. */
  ratios: v.object({ model: exact, completion: exact, group: exact }),
  /** False: no price table names the model, and the ratio for unknown models applies. */
  priced: v.boolean(),
});
/** One price of a model. */
export type ModelPrice = v.InferOutput<typeof modelPriceSchema>;

export const pricingSchema = v.object({
  group: v.string(),
  /** What happens to calls of models without a price. */
  unpriced: v.picklist(unpricedRules),
  models: v.array(
    v.object({
      model: v.string(),
      /** Maker of the model; empty: unknown. */
      maker: v.string(),
      unit: v.picklist(priceUnits),
      /** The number of enabled channels that offer it; 0 for ordinary users. */
      channels: integer,
      /** The names that its channels call their upstreams by, by which prices are set; empty for ordinary users. */
      sent: v.array(v.string()),
      /** What all of its channels can. */
      ...modelFacts,
      /** The cheapest prompt first. Several, where its channels redirect it to different models or have prices of their own. */
      prices: v.array(modelPriceSchema),
    }),
  ),
});
/** Prices of the models that are offered to a group. */
export type Pricing = v.InferOutput<typeof pricingSchema>;

export const getPricing = endpoint({
  method: 'GET',
  path: '/api/pricing',
  access: 'user',
  effect: false,
  summary: 'Prices of the models offered to a group: to your group, or to any group for administrators.',
  query: v.object({ group: textQuery }),
  data: pricingSchema,
});
