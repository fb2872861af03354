import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { integer, integerInput, textInput, textQuery } from '../wire.ts';
import { calendarDay, priceCardSchema, priceSources, unpricedRules } from './price-book.ts';
import { priceUnits } from './pricing.ts';

/** Prices that one request may set. */
export const ownPricesMax = 1000;

/** The last second of the year 9999. */
const timeMax = 253_402_300_799;

/** An exact number as text: a decimal, or a fraction `a/b` if it has no exact decimal. */
const exact = v.string();

/** What a model costs now in the default group, on the first of its channels. */
const currentPriceSchema = v.object({
  source: v.picklist(priceSources),
  /** The list that has it, and the name that it is listed under. */
  vendor: v.optional(v.string()),
  model: v.optional(v.string()),
  /** The day from which it counts. */
  from: v.optional(v.string()),
  /** Dollars for a million tokens, without the ratio of the group; parts where they have a price of their own. */
  rates: v.objectWithRest({ input: exact, output: exact }, exact),
  /** The same price as ratios. */
  ratios: v.object({ model: exact, completion: exact }),
  /** Tiers, classes, units and hours, where the price is a card. */
  card: v.optional(priceCardSchema),
});

const listedPriceSchema = v.object({ vendor: v.string(), model: v.string(), from: calendarDay, card: priceCardSchema });

const ownPriceSchema = v.object({
  /** Empty: every group. */
  group: v.string(),
  /** 0: every channel. */
  channel: integer,
  /** Unix seconds; a time to come: it does not count yet. */
  from: integer,
  card: priceCardSchema,
});
export type OwnPrice = v.InferOutput<typeof ownPriceSchema>;

const pricedModelSchema = v.object({
  model: v.string(),
  /** Maker of the model; empty: unknown. */
  maker: v.string(),
  unit: v.picklist(priceUnits),
  /** Ids of the enabled channels that call their upstream by this name. */
  channels: v.array(integer),
  current: currentPriceSchema,
  /** Its channels charge different prices; `current` is one of them. */
  several: v.boolean(),
  /** The list price, of the vendor of the first channel or else of the maker; null: no list has it. */
  list: v.nullable(listedPriceSchema),
  own: v.array(ownPriceSchema),
  /** What the operator set as ratios for the exact name; these count before all prices. Null: nothing. */
  ratios: v.nullable(
    v.object({ model: v.optional(exact), completion: v.optional(exact), parts: v.record(v.string(), exact) }),
  ),
});
export type PricedModel = v.InferOutput<typeof pricedModelSchema>;

export const pricedModelsSchema = v.object({
  /** What happens to calls of models without a price. */
  unpriced: v.picklist(unpricedRules),
  /** Quota units of a dollar, exactly. */
  quota_per_dollar: exact,
  groups: v.array(v.object({ name: v.string(), ratio: exact })),
  channels: v.array(v.object({ id: integer, name: v.string() })),
  models: v.array(pricedModelSchema),
});
export type PricedModels = v.InferOutput<typeof pricedModelsSchema>;

export const listPricedModels = endpoint({
  method: 'GET',
  path: '/api/prices/models',
  access: 'admin',
  effect: false,
  summary: 'Prices in dollars of all models that enabled channels offer, that have an own price, or a ratio.',
  query: v.object({ model: textQuery }),
  data: pricedModelsSchema,
});

const unpricedSchema = v.object({
  /** What happens to calls of such models. */
  rule: v.picklist(unpricedRules),
  models: v.array(v.string()),
});

export const listUnpricedModels = endpoint({
  method: 'GET',
  path: '/api/prices/unpriced',
  access: 'admin',
  effect: false,
  summary: 'The models without a price among those that enabled channels send to their upstreams.',
  data: unpricedSchema,
});

export const findUnpricedModels = endpoint({
  method: 'POST',
  path: '/api/prices/unpriced',
  access: 'admin',
  effect: true,
  summary: 'Which of these models would have no price on a channel of a type; nothing is changed.',
  body: v.object({
    type: integerInput,
    /** The channel, where it is stored already. */
    channel: v.optional(integerInput, 0),
    /** Comma-joined, as a channel lists them, after redirection. */
    models: textInput(65_536),
  }),
  data: unpricedSchema,
});

const ownPriceInput = v.object({
  model: v.pipe(textInput(200), v.trim(), v.minLength(1)),
  /** Empty: every group. */
  group: v.optional(textInput(64), ''),
  /** 0: every channel. */
  channel: v.optional(v.pipe(integerInput, v.minValue(0)), 0),
  /** Unix seconds; 0: from now on. */
  from: v.optional(v.pipe(integerInput, v.minValue(0), v.maxValue(timeMax)), 0),
  card: priceCardSchema,
});
export type OwnPriceInput = v.InferInput<typeof ownPriceInput>;

const storedSchema = v.object({
  /** Entries of ratio options that were removed, as `ModelRatio gpt-4o`: they would have counted before the price. */
  removed_ratios: v.array(v.string()),
  /** Models whose prices do not count, since a ratio for the exact name does. */
  overruled: v.array(v.string()),
});

export const putOwnPrice = endpoint({
  method: 'PUT',
  path: '/api/prices/own',
  access: 'root',
  effect: true,
  summary:
    'Set the price of a model in dollars, from now or a time on. For all groups and channels, it removes the ratios of the exact name.',
  body: ownPriceInput,
  data: storedSchema,
});

export const putOwnPrices = endpoint({
  method: 'PUT',
  path: '/api/prices/own/many',
  access: 'root',
  effect: true,
  summary: `Set up to ${ownPricesMax} prices as one change: all of them, or none if one is wrong.`,
  body: v.object({ prices: v.pipe(v.array(ownPriceInput), v.minLength(1), v.maxLength(ownPricesMax)) }),
  data: storedSchema,
});

export const deleteOwnPrice = endpoint({
  method: 'DELETE',
  path: '/api/prices/own',
  access: 'root',
  effect: true,
  summary: 'Remove the own prices of a model for a group and a channel, or the one from `from` alone.',
  // Unlike in filters, what is unreadable is refused: it would name other prices.
  query: v.object({
    model: textQuery,
    group: textQuery,
    channel: v.optional(v.pipe(integerInput, v.minValue(0)), 0),
    from: v.optional(v.pipe(integerInput, v.minValue(0)), 0),
  }),
  /** The number of prices that were removed. */
  data: integer,
});
