import type { ModelFacts } from '@weir/contract/catalogue/model-facts';
import type { ModelPrice, Pricing } from '@weir/contract/prices/pricing';
import { promptParts } from '@weir/contract/prices/usage-parts';
import type { UsagePart } from '@weir/contract/prices/usage-parts';

/** A model of the list. */
export interface PriceRow extends ModelFacts {
  readonly id: number;
  readonly model: string;
  readonly maker: string;
  readonly unit: Pricing['models'][number]['unit'];
  readonly channels: number;
  /** The names that its channels call their upstreams by. */
  readonly sent: readonly string[];
  /** The cheapest, which is shown in the list. */
  readonly price: ModelPrice;
  readonly prices: readonly ModelPrice[];
}

/** A channel of the model has no price for it. */
export const isUnpriced = ({ prices }: Pick<PriceRow, 'prices'>): boolean => prices.some(({ priced }) => !priced);

/** The models; with `unpricedFirst`, those without a price before the others. */
export const toRows = ({ models }: Pricing, unpricedFirst = false): PriceRow[] => {
  const rows = models.flatMap(({ prices, ...rest }, index) => {
    const [price] = prices;
    return price === undefined ? [] : [{ ...rest, id: index + 1, price, prices }];
  });
  return unpricedFirst ? rows.toSorted((one, other) => Number(isUnpriced(other)) - Number(isUnpriced(one))) : rows;
};

const ownPriceOf = ({ parts }: ModelPrice, usagePart: UsagePart): number | undefined =>
  parts.find(({ part }) => part === usagePart)?.quota;

/** Price of a part of a prompt or completion: without a separate price, that of the rest. */
export const partOf = (price: ModelPrice, usagePart: UsagePart): number =>
  ownPriceOf(price, usagePart) ?? (promptParts.some((part) => part === usagePart) ? price.input : price.output);

/** The parts with a separate price for at least one model, in the order of the contract. */
export const partsIn = (rows: readonly PriceRow[], all: readonly UsagePart[]): UsagePart[] =>
  all.filter((part) => rows.some(({ prices }) => prices.some((price) => ownPriceOf(price, part) !== undefined)));

export interface Use {
  readonly input: number;
  readonly output: number;
  readonly requests: number;
}

const million = 1_000_000;
/** Prompt units of one image of the smallest size. */
export const unitsPerImage = 1000;

/** Cost of a number of requests in quota units, each rounded up as the gateway does; with one image per request. */
export const costOf = (
  { unit }: Pick<PriceRow, 'unit'>,
  price: ModelPrice,
  { input, output, requests }: Use,
): number => {
  const units = unit === 'image' ? unitsPerImage : input;
  const exact = (price.input * units + price.output * (unit === 'token' ? output : 0)) / million;
  // Rounding off the error of floating point sums.
  const each = Math.ceil(Number(exact.toFixed(6)));
  return (exact > 0 ? Math.max(1, each) : 0) * requests;
};

/** Maximum number of compared models; adding one more removes the first. */
export const comparedMax = 4;
export const flipCompared = (compared: readonly string[], model: string): string | undefined => {
  const next = compared.includes(model)
    ? compared.filter((each) => each !== model)
    : [...compared, model].slice(-comparedMax);
  return next.join(',') || undefined;
};
