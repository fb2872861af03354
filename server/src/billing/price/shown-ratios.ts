import type { Options } from '../../store/options.ts';
import type { OwnPrice } from '../../store/prices/own-prices.ts';
import type { BookIndex } from './book/book-index.ts';
import { cardRatios } from './card-prices.ts';
import { multiply, one, parseRatio, parseRatioTable, ratio, type Ratio, ratioToNumber, ratioToText } from './ratio.ts';
import type { RatioTexts } from './ratio-tables.ts';

/** A ratio option as it is listed: JSON text of name to number. */
export interface ShownRatio {
  readonly text: string;
  /** What counts where the operator sets nothing, as JSON numbers. */
  readonly defaults: ReadonlyMap<string, string>;
}

export interface ShownRatios {
  readonly ModelRatio: ShownRatio;
  readonly CompletionRatio: ShownRatio;
}

interface Sources {
  readonly builtIn: RatioTexts;
  readonly index: BookIndex | null;
  readonly own: readonly OwnPrice[];
  readonly at: Date;
}

/** A JSON number: exact where a decimal is, otherwise the nearest one of double precision. */
const numberText = (value: Ratio): string => {
  const text = ratioToText(value);
  return text.includes('/') ? String(ratioToNumber(value)) : text;
};

const numbersOf = (text: string): Map<string, string> =>
  new Map([...(parseRatioTable(text) ?? [])].map(([name, value]) => [name, numberText(value)]));

const textOf = (numbers: Iterable<readonly [string, string]>): string =>
  `{${[...numbers].map(([name, number]) => `${JSON.stringify(name)}:${number}`).join(',')}}`;

/** Without a price book an option is listed as it was stored. */
const merged = (defaults: ReadonlyMap<string, string>, operator: string, isListed: boolean): ShownRatio => ({
  text: isListed || operator === '' ? textOf(new Map([...defaults, ...numbersOf(operator)])) : operator,
  defaults,
});

/**
 * The tables of ratios that other consoles of the contract list and edit: built-in ratios, list prices of the models'
 * makers, own prices of all groups and channels, and what the operator set as a ratio, each over the one before.
 */
export const shownRatios = ({ builtIn, index, own, at }: Sources, options: Pick<Options, 'text'>): ShownRatios => {
  const models = numbersOf(builtIn.modelRatio);
  const completions = numbersOf(builtIn.completionRatio);
  const perToken = multiply(parseRatio(options.text('QuotaPerUnit')) ?? one, ratio(1n, 1_000_000n));
  const seconds = Math.floor(at.getTime() / 1000);
  const add = (name: string, found: { model: Ratio; completion: Ratio } | undefined) => {
    if (found === undefined) return;
    models.set(name, numberText(multiply(found.model, perToken)));
    completions.set(name, numberText(found.completion));
  };
  for (const { model, price } of index?.makerEntries(at.toISOString().slice(0, 10)) ?? [])
    if (price !== undefined) add(model, cardRatios(price));
  for (const { model, group, channelId, from, card } of own)
    if (group === '' && channelId === 0 && from <= seconds) add(model, cardRatios(card));
  return {
    ModelRatio: merged(models, options.text('ModelRatio'), index !== null),
    CompletionRatio: merged(completions, options.text('CompletionRatio'), index !== null),
  };
};

/**
 * What of a table is the operator's: the entries that differ from what counts anyway. A console that shows the whole
 * table sends all of it back, and a list price that it repeats must still follow its list.
 */
export const operatorRatios = (text: string, defaults: ReadonlyMap<string, string>): string =>
  textOf([...numbersOf(text)].filter(([name, number]) => defaults.get(name) !== number));

/**
 * What of both tables is the operator's. A completion ratio stays where the ratio of its model does: it is part of the
 * operator's price, even where it repeats what counts anyway.
 */
export const withoutRepeated = (
  texts: Readonly<Record<keyof ShownRatios, string>>,
  shown: ShownRatios,
): Readonly<Record<keyof ShownRatios, string>> => {
  const { ModelRatio: models, CompletionRatio: completions } = texts;
  const kept = models === '' ? '' : operatorRatios(models, shown.ModelRatio.defaults);
  const names = numbersOf(kept);
  const defaults = new Map([...shown.CompletionRatio.defaults].filter(([name]) => !names.has(name)));
  return { ModelRatio: kept, CompletionRatio: completions === '' ? '' : operatorRatios(completions, defaults) };
};

/** A ratio option without some of its entries, and which were removed. An unreadable text stays as it is. */
export const withoutRatios = (
  text: string,
  isRemoved: (name: string) => boolean,
): { readonly text: string; readonly removed: readonly string[] } => {
  const numbers = numbersOf(text);
  const removed = [...numbers.keys()].filter(isRemoved);
  if (removed.length === 0) return { text, removed };
  return { text: textOf([...numbers].filter(([name]) => !isRemoved(name))), removed };
};
