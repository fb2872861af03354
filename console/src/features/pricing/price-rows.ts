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
  /** What happens to its calls if it has no price. */
  readonly rule: Pricing['unpriced'];
}

/** A channel of the model has no price for it. */
export const isUnpriced = ({ prices }: Pick<PriceRow, 'prices'>): boolean => prices.some(({ priced }) => !priced);

/** The models; with `unpricedFirst`, those without a price before the others. */
export const toRows = ({ models, unpriced: rule }: Pricing, unpricedFirst = false): PriceRow[] => {
  const rows = models.flatMap(({ prices, ...rest }, index) => {
    const [price] = prices;
    return price === undefined ? [] : [{ ...rest, id: index + 1, price, prices, rule }];
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

const pieceNames = ['image', 'second', 'character', 'search'] as const;
export type PieceName = (typeof pieceNames)[number];

/** What is priced by the piece, in quota units. */
export const piecesOf = ({ units = {} }: ModelPrice): readonly (readonly [name: PieceName, quota: number])[] =>
  pieceNames.flatMap((name) => (units[name] === undefined ? [] : [[name, units[name]] as const]));

/** The prices of a prompt of so many tokens: of the highest tier that it exceeds. */
const tierOf = (price: ModelPrice, input: number): Pick<ModelPrice, 'input' | 'output'> =>
  price.tiers?.findLast(({ above }) => input > above) ?? price;

/** What one request costs, exactly. */
const eachOf = ({ unit }: Pick<PriceRow, 'unit'>, price: ModelPrice, { input, output }: Use): number => {
  const [piece] = price.by_piece === true ? piecesOf(price) : [];
  if (piece !== undefined && piece[0] !== 'character') return piece[1];
  const rates = tierOf(price, unit === 'token' ? input : 0);
  const units = unit === 'image' ? unitsPerImage : input;
  return (rates.input * units + rates.output * (unit === 'token' ? output : 0)) / million;
};

/** Cost of a number of requests in quota units now, each rounded up as the gateway does; with one piece per request. */
export const costOf = (row: Pick<PriceRow, 'unit'>, price: ModelPrice, use: Use): number => {
  const exact = eachOf(row, price, use) * Number(price.factor ?? 1);
  // Rounding off the error of floating point sums.
  const each = Math.ceil(Number(exact.toFixed(6)));
  return (exact > 0 ? Math.max(1, each) : 0) * use.requests;
};

/** Maximum number of compared models; adding one more removes the first. */
export const comparedMax = 4;
export const flipCompared = (compared: readonly string[], model: string): string | undefined => {
  const next = compared.includes(model)
    ? compared.filter((each) => each !== model)
    : [...compared, model].slice(-comparedMax);
  return next.join(',') || undefined;
};
