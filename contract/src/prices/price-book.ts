import * as v from 'valibot';
import { completionParts, promptParts } from './usage-parts.ts';

/** An amount of US dollars as decimal text, exact: at least 0, at most 15 digits behind the point. */
export const dollars = v.pipe(v.string(), v.regex(/^(?:0|[1-9]\d{0,8})(?:\.\d{1,15})?$/));

/** A calendar day as `2026-11-24`. Prices are valid from its first second in UTC. */
export const calendarDay = v.pipe(v.string(), v.isoDate());

const partNames = [...promptParts, ...completionParts] as const;
const parts = v.object(v.entriesFromList(partNames, v.optional(dollars)));

/** Dollars for a million tokens. A part that is not named costs as the other tokens of its side. */
export const ratesSchema = v.object({ input: dollars, output: dollars, ...parts.entries });
/** Some of the rates; the others keep their relation to their side. */
const changedRates = v.partial(ratesSchema);

/** The service classes that a vendor may report, with prices of their own. */
export const serviceClasses = ['batch', 'flex', 'priority'] as const;
export type ServiceClass = (typeof serviceClasses)[number];

/** Dollars for each picture, second of audio, character of speech, and search. */
const unitsSchema = v.object({
  image: v.optional(dollars),
  second: v.optional(dollars),
  character: v.optional(dollars),
  search: v.optional(dollars),
});

const timeZone = v.pipe(
  v.string(),
  v.maxLength(64),
  v.check((name) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  }, 'not a time zone'),
);
/** A multiple of the price, as decimal text. */
const factor = v.pipe(v.string(), v.regex(/^(?:0|[1-9]\d{0,3})(?:\.\d{1,6})?$/));
const clockTime = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/));

/** Multiples by the hour of the call's arrival; the first window that fits counts, outside all of them it is 1. */
export const hoursSchema = v.object({
  zone: timeZone,
  windows: v.pipe(
    v.array(
      v.object({
        /** 1 is Monday, 7 is Sunday; absent: every day. The day is the one that the window begins on. */
        days: v.optional(
          v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))), v.minLength(1)),
        ),
        from: clockTime,
        /** Exclusive. Not later than `from`: on the next day. */
        to: clockTime,
        factor,
      }),
    ),
    v.maxLength(32),
  ),
});

const tokenCount = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** Multiples by the tokens that the account has used of this model in the month, before the call. */
export const volumeSchema = v.object({
  zone: timeZone,
  steps: v.pipe(v.array(v.object({ above: tokenCount, factor })), v.maxLength(16)),
});

const isFree = (text: string | undefined): boolean => text !== undefined && /^[0.]+$/.test(text);

/** Parts are priced in relation to their side: one of a side that is free cannot be, but for a prompt beside output. */
const hasSides = (rates: ChangedRates | undefined): boolean => {
  if (rates === undefined) return true;
  const isPriced = (part: keyof ChangedRates) => rates[part] !== undefined && !isFree(rates[part]);
  if (isFree(rates.output) && completionParts.some(isPriced)) return false;
  return !isFree(rates.output) || !isFree(rates.input) || !promptParts.some(isPriced);
};

/** The sides of a card, which its tiers and classes have where they name no others. */
const sidesOf = ({ input, output }: ChangedRates = {}): ChangedRates => ({
  ...(input !== undefined && { input }),
  ...(output !== undefined && { output }),
});

/**
 * What a model costs. With `rates`, tokens are priced; `units` price what has no tokens. A call whose prompt has more
 * tokens than a tier's `above` has the rates of the highest such tier, all of it.
 */
export const priceCardSchema = v.pipe(
  v.object({
    rates: v.optional(ratesSchema),
    tiers: v.optional(v.pipe(v.array(v.object({ above: tokenCount, ...changedRates.entries })), v.maxLength(8))),
    classes: v.optional(v.object(v.entriesFromList(serviceClasses, v.optional(changedRates)))),
    units: v.optional(unitsSchema),
    hours: v.optional(hoursSchema),
    volume: v.optional(volumeSchema),
  }),
  v.check(({ rates, units }) => rates !== undefined || Object.keys(units ?? {}).length > 0, 'without a price'),
  v.check(
    ({ rates, tiers = [], classes = {} }) =>
      [rates, ...[...tiers, ...Object.values(classes)].map((changed) => ({ ...sidesOf(rates), ...changed }))].every(
        hasSides,
      ),
    'parts have a price, but their side has none',
  ),
);
export type PriceCard = v.InferOutput<typeof priceCardSchema>;
export type Rates = v.InferOutput<typeof ratesSchema>;
export type ChangedRates = v.InferOutput<typeof changedRates>;

/** What a model can, as the vendor states it. */
export const abilities = ['tools', 'vision', 'reasoning', 'pdf', 'cache', 'json_schema'] as const;
/** What a model is for. */
export const modelModes = [
  'chat',
  'embedding',
  'image',
  'transcription',
  'speech',
  'rerank',
  'realtime',
  'moderation',
  'video',
  'other',
] as const;

/** One model of one vendor: its price from a day on, its limits and abilities. */
export const bookEntrySchema = v.object({
  /** Name in the catalogue of vendors (`catalogue/vendors.ts`), or of a vendor that is reached through others. */
  vendor: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
  model: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  mode: v.picklist(modelModes),
  /** Absent: the vendor lists the model without a price. */
  price: v.optional(priceCardSchema),
  from: calendarDay,
  /** The vendor's page. */
  source: v.optional(v.pipe(v.string(), v.maxLength(500))),
  /** Tokens of prompt and completion together. */
  context: v.optional(tokenCount),
  /** Tokens of a completion. */
  output: v.optional(tokenCount),
  can: v.optional(v.array(v.picklist(abilities))),
  /** The day on which the vendor ends the model. */
  ends: v.optional(calendarDay),
});
export type BookEntry = v.InferOutput<typeof bookEntrySchema>;

/** List prices of vendors. Several entries of one model differ in `from`; the latest that has come counts. */
export const priceBookSchema = v.object({
  /** Names the edition, as `2026-11`. */
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  entries: v.pipe(v.array(bookEntrySchema), v.maxLength(20_000)),
});
export type PriceBook = v.InferOutput<typeof priceBookSchema>;

/**
 * A price book that was checked before it was stored: entries are not looked into, which takes 50 ms for 2,000 of them.
 */
export const checkedPriceBookSchema = v.object({
  name: v.string(),
  entries: v.array(v.custom<BookEntry>((entry) => typeof entry === 'object' && entry !== null && 'vendor' in entry)),
});

/** Where the price of a call comes from, in the order in which it is looked for. */
export const priceSources = [
  /** The options ModelRatio, CompletionRatio and PartRatio, as the operator set them. */
  'ratio',
  /** The operator's own price in dollars. */
  'own',
  /** The list price of the channel's vendor. */
  'vendor',
  /** The list price of the model's maker. */
  'maker',
  /** The ratios that come with the program. */
  'built_in',
  /** No price is known: the option UnpricedModels decides. */
  'fallback',
  'free',
] as const;
export type PriceSource = (typeof priceSources)[number];

/** What happens to calls of models without a price. */
export const unpricedRules = ['refuse', 'fallback', 'free'] as const;
