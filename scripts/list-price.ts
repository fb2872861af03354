import { type BookEntry, type PriceCard, priceCardSchema } from '@weir/contract/prices/price-book';
import * as v from 'valibot';

/** The digits behind the point that a price has at most. */
const scale = 15;
/** Spoken characters in a second, for vendors that price speech by its length. */
const charactersPerSecond = 15n;

/** `units` of 10⁻¹⁵ as decimal text. */
const toText = (units: bigint): string => {
  const digits = units.toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -scale) : `${digits.slice(0, -scale)}.${fraction}`;
};

/** A decimal as whole units of 10⁻¹⁵, digits behind them rounded half up. Reads the text that the number is written as. */
const toUnits = (value: number): bigint => {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`;
  const shift = scale + Number(exponent) - fraction.length;
  if (!/^\d+$/.test(digits)) throw new Error(`not a price: ${value}`);
  if (shift >= 0) return BigInt(digits) * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (BigInt(digits) * 2n + divisor) / (divisor * 2n);
};

/** A price of the list as exact decimal text. */
export const decimalText = (value: number): string => toText(toUnits(value));

/** What the list states of a model, as far as it has a price. */
export interface ListedPrice {
  readonly usd_per_million_tokens?: Readonly<Record<string, number>> | undefined;
  readonly usd_per_unit?: Readonly<Record<string, number>> | undefined;
}

/** The parts of the prompt and of the completion, by their names in the list. */
const promptParts = [
  ['cache_read', 'cache_read'],
  ['cache_write', 'cache_write'],
  ['cache_write_1h', 'cache_write_1h'],
  ['audio_input', 'audio_prompt'],
  ['image_input', 'image_prompt'],
] as const;
const completionParts = [
  ['reasoning', 'reasoning'],
  ['audio_output', 'audio_completion'],
  ['image_output', 'image_completion'],
] as const;
const allNames = [['input', 'input'], ['output', 'output'], ...promptParts, ...completionParts] as const;

const tierSizes = [
  ['_above_200k', 200_000],
  ['_above_272k', 272_000],
] as const;
const classes = ['batch', 'flex', 'priority'] as const;

/** Modes whose calls generate no tokens, so that an output without a price costs nothing. */
const withoutOutput: ReadonlySet<BookEntry['mode']> = new Set(['embedding', 'moderation', 'rerank', 'transcription']);

type Listed = Readonly<Record<string, number>>;

/** The price of output tokens: what the list states, else that of the only kind of output that the mode has. */
const outputPrice = (mode: BookEntry['mode'], judges: boolean, listed: Listed): number | undefined => {
  if ((listed.output ?? 0) > 0) return listed.output;
  if (mode === 'image') return listed.image_output;
  if (mode === 'speech') return listed.audio_output;
  return withoutOutput.has(mode) || judges ? 0 : undefined;
};

/**
 * A part of 0 beside a side with a price is what the list writes where the vendor has no price of its own for the part:
 * it costs what its side costs. So does a cache write below the price of plain input, which no vendor has.
 */
const hasOwnPrice = (part: string, price: number | undefined, side: number): price is number =>
  price !== undefined && price > 0 && price !== side && !(part.startsWith('cache_write') && price < side);

const readRates = (mode: BookEntry['mode'], judges: boolean, listed: Listed): object | undefined => {
  const { input } = listed;
  const output = outputPrice(mode, judges, listed);
  if (input === undefined || input === 0 || output === undefined) return undefined;
  const side = (parts: typeof promptParts | typeof completionParts, price: number) =>
    parts.flatMap(([name, part]) => {
      const own = listed[name];
      return hasOwnPrice(part, own, price) ? [[part, decimalText(own)] as const] : [];
    });
  return {
    input: decimalText(input),
    output: decimalText(output),
    ...Object.fromEntries<string>([...side(promptParts, input), ...side(completionParts, output)]),
  };
};

/** The prices whose names in the list end with `suffix`; 0 is not one. */
const changedBy = (suffix: string, listed: Listed): object | undefined => {
  const changed = allNames.flatMap(([name, part]) => {
    const price = listed[`${name}${suffix}`] ?? 0;
    return price > 0 ? [[part, decimalText(price)] as const] : [];
  });
  return changed.length === 0 ? undefined : Object.fromEntries<string>(changed);
};

const readTiers = (listed: Listed): readonly object[] | undefined => {
  const tiers = tierSizes.flatMap(([suffix, above]) => {
    const changed = changedBy(suffix, listed);
    return changed === undefined ? [] : [{ above, ...changed }];
  });
  return tiers.length === 0 ? undefined : tiers;
};

const readClasses = (listed: Listed): object | undefined => {
  const found = classes.flatMap((name) => {
    const changed = changedBy(`_${name}`, listed);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries<object>(found);
};

/** Only units that calls of the mode are counted in: else a call would cost nothing. */
const readUnits = (mode: BookEntry['mode'], units: Listed): PriceCard['units'] => {
  const { image = 0, second_in = 0, second_out = 0, character = 0, query = 0 } = units;
  if (mode === 'image' && image > 0) return { image: decimalText(image) };
  if ((mode === 'transcription' || mode === 'realtime') && second_in > 0) return { second: decimalText(second_in) };
  if (mode === 'video' && second_out > 0) return { second: decimalText(second_out) };
  if (mode === 'rerank' && query > 0) return { search: decimalText(query) };
  if (mode !== 'speech') return undefined;
  if (character > 0) return { character: decimalText(character) };
  const rounded = (toUnits(second_out) * 2n + charactersPerSecond) / (charactersPerSecond * 2n);
  return rounded > 0n ? { character: toText(rounded) } : undefined;
};

/**
 * The price of a listed model; undefined where the list does not state one that covers its calls. `judges`: the model
 * answers with a score, and its output is not charged.
 */
export const readPrice = (
  { usd_per_million_tokens: tokens = {}, usd_per_unit: listedUnits = {} }: ListedPrice,
  { mode, judges }: { mode: BookEntry['mode']; judges: boolean },
): PriceCard | undefined => {
  const rates = readRates(mode, judges, tokens);
  const units = readUnits(mode, listedUnits);
  if (rates === undefined) return units && { units };
  return v.parse(priceCardSchema, { rates, tiers: readTiers(tokens), classes: readClasses(tokens), units });
};
