import type { BookEntry, PriceCard } from '@weir/contract/prices/price-book';
import { isSameName } from './book/model-names.ts';
import { cardPrice, cardRatios } from './card-prices.ts';
import { hoursWindow } from './times/hours-window.ts';
import { createPrice, type Price, type PriceOrigin } from './price.ts';
import { multiply, one, parseRatio, ratio, ratioToText, type Ratio } from './ratio.ts';
import type { CostQuestion, CostUnit, PriceQuestion, PriceTableParts } from './price-question.ts';
import { readRatioTables, unlistedCompletion } from './ratio-tables.ts';

/**
 * For a model that no table names: high on purpose, so that no model is sold below cost by mistake (wire contract 3.6).
 */
const unknownModelRatio: Ratio = parseRatio('30') ?? one;
const nothing = ratio(0n, 1n);
const nanosPerDollar = ratio(1_000_000_000n, 1n);

/** A multiple of the price, and what it comes from. */
interface Multiple {
  /** Decimal text. */
  readonly factor: string;
  /** The window, as `22:00–06:00 Europe/Berlin`. */
  readonly window?: string;
  /** The volume step: of accounts that used more tokens in the month. */
  readonly step?: number;
}

/** A price, or one for each multiple by the hour and by the volume. */
export interface Resolved {
  /** What it is made of; absent: of a ratio. */
  readonly card?: PriceCard;
  readonly hours: PriceCard['hours'];
  readonly volume: PriceCard['volume'];
  readonly prices: Map<string, Price>;
  make(multiple: Multiple): Price;
}

/** The highest step that a volume is above; undefined: none. */
const stepOf = (volume: PriceCard['volume'], tokensBefore: number) =>
  volume?.steps
    .filter(({ above }) => tokensBefore > above)
    .toSorted((low, high) => high.above - low.above)
    .at(0);

/** The price at an instant, of an account that used so many tokens of the model before in the month. */
export const priceAt = ({ hours, volume, prices, make }: Resolved, atMs: number, tokensBefore = 0): Price => {
  const byHour = hours && hoursWindow(hours, atMs);
  const window = byHour && `${byHour.from}–${byHour.to} ${hours.zone}`;
  const step = stepOf(volume, tokensBefore);
  const name = `${window}\n${byHour?.factor}\n${step?.above}`;
  const known = prices.get(name);
  if (known !== undefined) return known;
  const factor = ratioToText(
    multiply(parseRatio(byHour?.factor ?? '1') ?? one, parseRatio(step?.factor ?? '1') ?? one),
  );
  const price = make({ factor, ...(window && { window }), ...(step && { step: step.above }) });
  prices.set(name, price);
  return price;
};

/** A card that was found, and where. */
interface Found {
  readonly card: PriceCard;
  readonly origin: PriceOrigin;
  /** The group's ratio does not apply: the card is what this group pays. */
  readonly isOfGroup: boolean;
}

const listed = (source: 'vendor' | 'maker', entry: BookEntry | undefined): Found | undefined => {
  if (entry?.price === undefined) return undefined;
  const { vendor, model, from, price } = entry;
  return { card: price, origin: { source, vendor, model, from }, isOfGroup: false };
};

const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
const flat = (price: Price): Resolved => ({
  hours: undefined,
  volume: undefined,
  prices: new Map(),
  make: () => price,
});

/** What a resolver looks into. */
const sourcesOf = (parts: PriceTableParts) => {
  const operator = readRatioTables(parts.operator);
  const builtIn = readRatioTables(parts.builtIn);
  const groups = parts.operator.groupRatio === '' ? builtIn.groups : operator.groups;
  return { ...parts, operatorTexts: parts.operator, operator, builtIn, groups };
};
type PriceSources = ReturnType<typeof sourcesOf>;

const ownCard = (
  { own, madeAtMs }: PriceSources,
  { model, group, channelId = 0 }: PriceQuestion,
): Found | undefined => {
  const price = own.find({ model, group, channelId }, Math.floor(madeAtMs / 1000));
  if (price === undefined) return undefined;
  const from = price.from === 0 ? {} : { from: dayOf(price.from * 1000) };
  return { card: price.card, origin: { source: 'own', ...from }, isOfGroup: price.group !== '' };
};

const listCard = (
  { lists, madeAtMs }: PriceSources,
  { model, channelType }: Pick<PriceQuestion, 'model' | 'channelType'>,
): Found | undefined => {
  if (lists === null) return undefined;
  const day = dayOf(madeAtMs);
  return listed('vendor', lists.ofChannelType(channelType, model, day)) ?? listed('maker', lists.ofMaker(model, day));
};

const groupTerms = ({ groups }: PriceSources, group: string) => {
  const found = groups.get(group);
  return { group: found ?? one, groupKnown: found !== undefined };
};

/** A price from a ratio. Its relations come from the operator, else from the list price, else from the program. */
const ratioPrice = (
  sources: PriceSources,
  question: PriceQuestion,
  price: {
    readonly model: Ratio;
    readonly origin: PriceOrigin;
    readonly modelKnown?: boolean;
    readonly refused?: boolean;
  },
): Price => {
  const { version, operator, operatorTexts, builtIn } = sources;
  const { model: name, channelType, group } = question;
  const list = price.origin.source === 'ratio' ? listCard(sources, question) : undefined;
  const relations = list === undefined ? undefined : cardRatios(list.card);
  return createPrice({
    version,
    modelKnown: true,
    ...price,
    completion:
      operator.completion(name, channelType) ??
      relations?.completion ??
      builtIn.completion(name, channelType) ??
      unlistedCompletion(name),
    ...groupTerms(sources, group),
    parts: operatorTexts.partRatio === '' ? (relations?.parts ?? builtIn.parts(name)) : operator.parts(name),
  });
};

/** A price from a card. Of a list price, the operator's ratios of completion and parts take the place of the list's. */
const priceOfCard = (sources: PriceSources, question: PriceQuestion, found: Found): Resolved => {
  const { version, unitsPerDollar, operator } = sources;
  const { model, channelType, group } = question;
  const { card, origin, isOfGroup } = found;
  const changed =
    origin.source === 'own'
      ? {}
      : { completion: operator.completion(model, channelType), parts: operator.parts(model) };
  return {
    card,
    hours: card.hours,
    volume: card.volume,
    prices: new Map(),
    make: ({ factor, window, step }) =>
      cardPrice(card, {
        version,
        unitsPerDollar,
        ...(isOfGroup ? { group: one, groupKnown: true } : groupTerms(sources, group)),
        origin: {
          ...origin,
          ...(factor !== '1' && { factor }),
          ...(window !== undefined && { hours: window }),
          ...(step !== undefined && { volume: step }),
        },
        factor: parseRatio(factor) ?? one,
        ...changed,
      }),
  };
};

const unlisted = (sources: PriceSources, question: PriceQuestion): Price => {
  const { unpriced } = sources;
  if (unpriced === 'free')
    return ratioPrice(sources, question, { model: nothing, origin: { source: 'free' }, modelKnown: false });
  const origin = { source: 'fallback' } as const;
  const refused = unpriced === 'refuse';
  return ratioPrice(sources, question, { model: unknownModelRatio, origin, modelKnown: false, refused });
};

/** Where a built-in ratio is of the channel's type, the operator's must be too, as in other gateways of this contract. */
const operatorRatio = ({ lists, builtIn, operator }: PriceSources, model: string, type: number): Ratio | undefined =>
  lists === null && builtIn.typed(model, type) !== undefined
    ? operator.typed(model, type)
    : operator.model(model, type);

/** Whether a card is for this very model: a list may have it by another date alone, or without one. */
const isFor = ({ origin: { model: listedAs } }: Found, model: string): boolean =>
  listedAs === undefined || isSameName(listedAs, model) || isSameName(listedAs, model.replace(/-latest$/i, ''));

/** The part of a card that prices a unit; undefined: it has no price for it. */
const cardFor = (card: PriceCard, unit: CostUnit): PriceCard | undefined => {
  if (unit === 'token') return card.rates === undefined ? undefined : card;
  const each = card.units?.[unit];
  if (each === undefined) return undefined;
  return { units: { [unit]: each }, ...(card.hours !== undefined && { hours: card.hours }) };
};

/** What the vendor charges; null: no list has the model and the unit. Nothing, whatever the model, at factor 0. */
const costOf = (sources: PriceSources, { model, channelType, unit, factor: group }: CostQuestion): Resolved | null => {
  const { version } = sources;
  if (group.times === 0n)
    return flat(createPrice({ version, model: nothing, completion: one, group, modelKnown: true, groupKnown: true }));
  const found = listCard(sources, { model, channelType });
  const card = found && cardFor(found.card, unit);
  if (found === undefined || card === undefined) return null;
  const terms = { version, unitsPerDollar: nanosPerDollar, group, groupKnown: true, origin: found.origin };
  const make = ({ factor }: Multiple) => cardPrice(card, { ...terms, factor: parseRatio(factor) ?? one });
  // Volume steps of a list are not applied: the operator's own volume at the vendor is not known here.
  return { hours: card.hours, volume: undefined, prices: new Map(), make };
};

/**
 * Finds prices, in this order: the operator's ratio, own price, list of the vendor, of the maker, built-in ratio. A
 * built-in ratio of the very name goes before a list price of the name with another date or without one.
 */
export const createResolver = (parts: PriceTableParts) => {
  const sources = sourcesOf(parts);
  const { builtIn } = sources;
  return {
    price: (question: PriceQuestion): Resolved => {
      const { model, channelType } = question;
      const set = operatorRatio(sources, model, channelType);
      if (set !== undefined) return flat(ratioPrice(sources, question, { model: set, origin: { source: 'ratio' } }));
      const found = ownCard(sources, question) ?? listCard(sources, question);
      const known = builtIn.model(model, channelType);
      if (found !== undefined && (known === undefined || isFor(found, model)))
        return priceOfCard(sources, question, found);
      if (known === undefined) return flat(unlisted(sources, question));
      return flat(ratioPrice(sources, question, { model: known, origin: { source: 'built_in' } }));
    },
    cost: (question: CostQuestion): Resolved | null => costOf(sources, question),
  };
};
