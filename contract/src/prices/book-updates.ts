import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { integer, integerInput, integerQuery, textInput } from '../wire.ts';
import { calendarDay, priceCardSchema } from './price-book.ts';

/** The longest price book that is uploaded or fetched, in bytes of UTF-8. */
export const bookBytesMax = 5 * 1024 * 1024;
/** Entries of a price book; as in `priceBookSchema`. */
export const bookEntriesMax = 20_000;
/** The days of traffic that a comparison is about. */
export const comparedDays = 30;
/** Editions that are kept, to go back to. */
export const keptEditions = 10;

const editionSchema = v.object({
  id: integer,
  /** As the book names itself. */
  name: v.string(),
  /** `shipped`, the name of a file, an address, or `edition 12`. */
  source: v.string(),
  /** Unix seconds. */
  created_at: integer,
  /** Empty: the first start, or a user that is gone. */
  by: v.string(),
});
export type BookEdition = v.InferOutput<typeof editionSchema>;

export const getPriceBook = endpoint({
  method: 'GET',
  path: '/api/price_book',
  access: 'root',
  effect: false,
  summary: 'The price book in force, the one of this release, the one that waits for approval, and earlier editions.',
  data: v.object({
    /** Null: none was ever approved. */
    current: v.nullable(editionSchema),
    shipped: v.object({
      name: v.string(),
      /** It was neither approved nor dismissed. */
      is_new: v.boolean(),
    }),
    /** Null: none waits. */
    proposal: v.nullable(editionSchema),
    /** The latest first, the one in force included. */
    editions: v.array(editionSchema),
    /** The option PriceBookUrl. */
    url: v.string(),
  }),
});

/** Where a proposed book comes from. */
const bookSourceSchema = v.variant('kind', [
  /** The one that comes with the release. */
  v.object({ kind: v.literal('shipped') }),
  /** Fetched by the server; empty: from the address of the option PriceBookUrl. */
  v.object({ kind: v.literal('url'), url: textInput(2000) }),
  /** The text of a file. */
  v.object({ kind: v.literal('file'), name: textInput(200), content: v.string() }),
]);
export type BookSource = v.InferInput<typeof bookSourceSchema>;

export const proposePriceBook = endpoint({
  method: 'POST',
  path: '/api/price_book/proposal',
  access: 'root',
  effect: true,
  summary: 'Has a price book wait for approval, in place of the one that waits; no price changes.',
  body: v.object({ source: bookSourceSchema }),
  // The text is a JSON string, in which quotes and ends of lines take two bytes.
  bodyMaxBytes: 2 * bookBytesMax + 4096,
  data: editionSchema,
});

const topUserSchema = v.object({ id: integer, name: v.string(), calls: integer });

/** The traffic that a list price decides or would decide. */
const effectSchema = v.object({
  calls: integer,
  /** How many users called it, and those with the most calls. */
  users: integer,
  top: v.array(topUserSchema),
  prompt_tokens: integer,
  completion_tokens: integer,
  /** Quota units that were charged, everything included. */
  charged: integer,
  /** Nano-dollars: the vendor's charge, as it was recorded; null: not known of all of it. */
  cost: v.nullable(integer),
  /** Quota units for these tokens at the prices of now and at the new ones: without tiers, classes and parts. */
  charge_before: integer,
  charge_after: integer,
  /** Nano-dollars for these tokens by the list, now and then; null: no list has it. */
  cost_before: v.nullable(integer),
  cost_after: v.nullable(integer),
  /** Calls of it would be refused: no price would be left. */
  refused: v.boolean(),
});

export const differenceSchema = v.object({
  vendor: v.string(),
  model: v.string(),
  kind: v.picklist(['added', 'changed', 'removed']),
  /** The first day with another price. */
  day: v.string(),
  /** The list price of now, or where no list has one that of the ratios that come with the program; null: none. */
  before: v.nullable(priceCardSchema),
  /** `before` is of the ratios that come with the program. */
  built_in: v.boolean(),
  after: v.nullable(priceCardSchema),
  /** What differs: members of the price as `rates.input`, others as `context`. */
  members: v.array(v.string()),
  /** The day on which the vendor ends the model; empty: not stated. */
  ends: v.string(),
  /** An enabled channel sends a model whose price this is. */
  offered: v.boolean(),
  /** The operator's ratio or own price counts, whatever a list says: nothing changes for callers. */
  kept: v.picklist(['', 'ratio', 'own']),
  /** Null: there was no call. */
  effect: v.nullable(effectSchema),
});
export type BookDifference = v.InferOutput<typeof differenceSchema>;

const comparisonSchema = v.object({
  proposal: editionSchema,
  /** The edition in force that it was compared with; 0: none. */
  against: integer,
  /** Models that are the same in both. */
  unchanged: integer,
  /** Those that are offered or had calls first, by what was charged; then new and changed ones by vendor and model. */
  differences: v.array(differenceSchema),
  /** Today in UTC, the first day that an approval may name. */
  today: v.string(),
  /** Quota units of a dollar. */
  quota_per_dollar: v.number(),
});
export type BookComparison = v.InferOutput<typeof comparisonSchema>;

export const comparePriceBook = endpoint({
  method: 'GET',
  path: '/api/price_book/proposal',
  access: 'root',
  effect: false,
  summary: 'Compares the price book that waits with the one in force, with the traffic of the last 30 days.',
  data: comparisonSchema,
});

/** A model of a vendor; without a model: all new and changed models of the vendor. */
const chosenSchema = v.object({ vendor: textInput(40), model: v.optional(textInput(200)) });

export const approvePriceBook = endpoint({
  method: 'POST',
  path: '/api/price_book/approve',
  access: 'root',
  effect: true,
  summary: 'Puts a compared price book in force: all of it, some vendors or models, now or from a day on.',
  body: v.object({
    /** The proposal, and the edition that it was compared with. Another one in force is a conflict. */
    proposal: integerInput,
    against: integerInput,
    /** `all`: all new and changed models. Models that the book lacks end only if they are named. */
    chosen: v.union([v.literal('all'), v.pipe(v.array(chosenSchema), v.minLength(1), v.maxLength(2 * bookEntriesMax))]),
    /** The day from which the choice counts; null: each price from the day that the book has. */
    from: v.optional(v.nullable(calendarDay), null),
    /** The proposal goes on waiting, for what was not chosen. */
    keep: v.optional(v.boolean(), false),
  }),
  bodyMaxBytes: bookBytesMax,
  data: editionSchema,
});

export const dismissPriceBook = endpoint({
  method: 'DELETE',
  path: '/api/price_book/proposal',
  access: 'root',
  effect: true,
  summary: 'Dismisses the price book that waits; of a release it is not offered again.',
  query: v.object({ id: integerQuery }),
});

export const restorePriceBook = endpoint({
  method: 'POST',
  path: '/api/price_book/restore',
  access: 'root',
  effect: true,
  summary: 'Puts an earlier edition in force again, as a new one.',
  body: v.object({ id: integerInput, against: integerInput }),
  data: editionSchema,
});
