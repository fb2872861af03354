import { type ChangedRates, type PriceCard, type ServiceClass, serviceClasses } from '@weir/contract/prices/price-book';
import type { ChargedPart } from '@weir/contract/prices/usage-parts';
import { createPrice, type Price, type PriceOrigin, type Tokens } from './price.ts';
import { divide, multiply, one, parseRatio, ratio, type Ratio } from './ratio.ts';
import { isUsagePart, type PartRatios, sideOf } from './usage-parts.ts';

/** What a price is made of besides the card. */
export interface CardTerms {
  readonly version: number;
  /** Units of the amounts for one dollar. */
  readonly unitsPerDollar: Ratio;
  readonly group: Ratio;
  readonly groupKnown: boolean;
  readonly origin: PriceOrigin;
  /** A multiple of all prices. */
  readonly factor: Ratio;
  /** Takes the place of the card's relation of completion to prompt, or of parts to their side. */
  readonly completion?: Ratio | undefined;
  readonly parts?: PartRatios;
}

const million = ratio(1_000_000n, 1n);
const nothing = ratio(0n, 1n);

/** Dollars of a card: its form was checked when it was stored. */
const amount = (text: string | undefined): Ratio => (text === undefined ? nothing : (parseRatio(text) ?? nothing));

type Sides = Readonly<Record<'input' | 'output', Ratio>>;

/** Exact dollars for a million tokens. */
interface ExactRates extends Sides {
  /** Dollars too: of the parts that do not cost as their side. */
  readonly parts: PartRatios;
}

const isZero = ({ times }: Ratio): boolean => times === 0n;

/** What the price of a part keeps its relation to: its side; of a prompt that is free, the output. */
const baseOf = (part: ChargedPart, { input }: Sides): keyof Sides =>
  sideOf(part) === 'prompt' && !isZero(input) ? 'input' : 'output';

/** The parts that are named. */
const partsIn = (rates: ChangedRates): PartRatios => {
  const parts: Record<string, Ratio> = {};
  for (const [part, text] of Object.entries(rates)) if (isUsagePart(part)) parts[part] = amount(text);
  return parts;
};

/** Parts that keep their relation to what they are part of: where that becomes free, so do they. */
const carried = (parts: PartRatios, from: Sides, to: Sides): PartRatios => {
  const kept: Record<string, Ratio> = {};
  for (const [part, price] of Object.entries(parts)) {
    if (!isUsagePart(part)) continue;
    const base = baseOf(part, from);
    kept[part] = multiply(price, divide(to[base], from[base]) ?? one);
  }
  return kept;
};

/** What has no tokens is metered in tokens (docs/billing.md): 1,000 are a picture or a search, 200 a minute, 1 a character. */
const unitRate = ({ units = {} }: PriceCard): Ratio => {
  const { image, search, second, character } = units;
  const each = image ?? search;
  if (each !== undefined) return multiply(amount(each), ratio(1000n, 1n));
  if (second !== undefined) return multiply(amount(second), ratio(300_000n, 1n));
  return multiply(amount(character), million);
};

const isPerCharacter = ({ rates, units = {} }: PriceCard): boolean => {
  const { image, search, second, character } = units;
  return rates === undefined && character !== undefined && (image ?? search ?? second) === undefined;
};

const baseRates = (card: PriceCard): ExactRates => {
  const { rates } = card;
  if (rates === undefined) return { input: unitRate(card), output: nothing, parts: {} };
  return { input: amount(rates.input), output: amount(rates.output), parts: partsIn(rates) };
};

/** Rates with some replaced: parts that are not named keep their relation to their side. */
const changeRates = (base: ExactRates, changed: ChangedRates): ExactRates => {
  const sides = {
    input: changed.input === undefined ? base.input : amount(changed.input),
    output: changed.output === undefined ? base.output : amount(changed.output),
  };
  return { ...sides, parts: { ...carried(base.parts, base, sides), ...partsIn(changed) } };
};

/** The rates of a tier, changed as a service class changes the base. */
const changeTier = (tier: ExactRates, base: ExactRates, classed: ExactRates): ExactRates => {
  const sides = {
    input: multiply(tier.input, divide(classed.input, base.input) ?? one),
    output: multiply(tier.output, divide(classed.output, base.output) ?? one),
  };
  return { ...sides, parts: { ...carried(classed.parts, classed, sides), ...carried(tier.parts, tier, sides) } };
};

/** Parts relative to what they are part of, as prices have them. */
const weightsOf = (rates: ExactRates): PartRatios => {
  const weights: Record<string, Ratio> = {};
  for (const [part, price] of Object.entries(rates.parts)) {
    const weight = isUsagePart(part) ? divide(price, rates[baseOf(part, rates)]) : null;
    if (weight !== null) weights[part] = weight;
  }
  return weights;
};

interface Variant {
  readonly above: number;
  readonly serviceClass: ServiceClass | undefined;
  readonly rates: ExactRates;
}

/** Every set of rates of a card: the base first, and of each class those of the highest tier first. */
const variantsOf = (card: PriceCard): readonly [Variant, ...Variant[]] => {
  const base = baseRates(card);
  const tiers = (card.tiers ?? [])
    .map(({ above, ...changed }) => ({ above, rates: changeRates(base, changed) }))
    .toSorted((low, high) => high.above - low.above);
  const ofClass = (serviceClass: ServiceClass | undefined, rates: ExactRates): Variant[] => [
    ...tiers.map((tier) => ({
      serviceClass,
      above: tier.above,
      rates: serviceClass === undefined ? tier.rates : changeTier(tier.rates, base, rates),
    })),
    { above: 0, serviceClass, rates },
  ];
  const classes = serviceClasses.flatMap((name) => {
    const changed = card.classes?.[name];
    return changed === undefined ? [] : ofClass(name, changeRates(base, changed));
  });
  return [{ above: 0, serviceClass: undefined, rates: base }, ...ofClass(undefined, base), ...classes];
};

const flatPrice = (card: PriceCard, { above, serviceClass, rates }: Variant, terms: CardTerms): Price => {
  const { unitsPerDollar, factor, version, group, groupKnown, origin } = terms;
  const perToken = multiply(ratio(1n, 1_000_000n), multiply(unitsPerDollar, factor));
  const freePrompt = isZero(rates.input) && !isZero(rates.output);
  const relation = freePrompt ? one : (divide(rates.output, rates.input) ?? one);
  return createPrice({
    version,
    model: multiply(freePrompt ? rates.output : rates.input, perToken),
    completion: freePrompt ? one : (terms.completion ?? relation),
    group,
    parts: { ...weightsOf(rates), ...terms.parts },
    freePrompt,
    perCharacter: isPerCharacter(card),
    modelKnown: true,
    groupKnown,
    origin: { ...origin, ...(above > 0 && { above }), ...(serviceClass !== undefined && { serviceClass }) },
  });
};

/** A price that costs as much as the standard class or another one, whichever is more. */
const dearer = (price: Price, serviceClass: ServiceClass): Price => ({
  ...price,
  quota: (tokens) => Math.max(price.quota(tokens), price.quota({ ...tokens, serviceClass })),
  affordable: (units, prompt) =>
    Math.min(
      price.affordable(units, prompt),
      price.chosenFor({ prompt, completion: 0, serviceClass }).affordable(units, prompt),
    ),
});

/** Prices by the unit of a card that has prices of tokens too. */
const unitPrices = (card: PriceCard, terms: CardTerms): ReadonlyMap<string, Price> =>
  new Map(
    card.rates === undefined
      ? []
      : Object.entries(card.units ?? {}).map(([unit, each]) => [unit, cardPrice({ units: { [unit]: each } }, terms)]),
  );

/** The price of a card. Amounts are units of `unitsPerDollar`, rounded up once. */
export const cardPrice = (card: PriceCard, terms: CardTerms): Price => {
  const [base, ...others] = variantsOf(card).map((variant) => ({ ...variant, price: flatPrice(card, variant, terms) }));
  if (base === undefined) throw new TypeError('A card has a base');
  const units = unitPrices(card, terms);
  const chosenFor = ({ prompt, serviceClass }: Tokens): Price => {
    const own = others.filter((variant) => variant.serviceClass === serviceClass);
    const fitting = own.length > 0 ? own : others.filter((variant) => variant.serviceClass === undefined);
    return fitting.find(({ above }) => prompt > above || above === 0)?.price ?? base.price;
  };
  if (others.length === 1) {
    const price: Price = { ...base.price, byUnit: (unit) => units.get(unit) ?? price };
    return price;
  }
  const price: Price = {
    ...base.price,
    byUnit: (unit) => units.get(unit) ?? price,
    quota: (tokens) => chosenFor(tokens).quota(tokens),
    affordable: (amountOfUnits, promptTokens) =>
      chosenFor({ prompt: promptTokens, completion: 0 }).affordable(amountOfUnits, promptTokens),
    heldFor: (serviceClass) => (serviceClass === undefined ? price : dearer(price, serviceClass)),
    chosenFor,
  };
  return price;
};

/** The relations within a card's base rates, as the ratio options state them; `model` in dollars for a million. */
export const cardRatios = (card: PriceCard): { model: Ratio; completion: Ratio; parts: PartRatios } | undefined => {
  const rates = baseRates(card);
  const completion = divide(rates.output, rates.input);
  return completion === null ? undefined : { model: rates.input, completion, parts: weightsOf(rates) };
};
