import type { PriceCard } from '@weir/contract/prices/price-book';
import type { Price } from '../price.ts';
import { divide, multiply, ratio, type Ratio, ratioToNumber, ratioToText } from '../ratio.ts';

const million = ratio(1_000_000n, 1n);
const decimalsMax = 15;
const exact = /^\d{1,9}(?:\.\d{1,15})?$/;

/** The nearest amount of dollars that a price can have. */
const dollarsText = (value: Ratio): string => {
  const text = ratioToText(value);
  return exact.test(text)
    ? text
    : ratioToNumber(value)
        .toFixed(decimalsMax)
        .replace(/\.?0+$/, '');
};

/** A price of ratios in dollars for a million tokens, without the group's ratio; null: larger than a list can have. */
export const cardOfPrice = ({ model, completion }: Price, unitsPerDollar: Ratio): PriceCard | null => {
  const base = multiply(divide(model, unitsPerDollar) ?? model, million);
  const [input, output] = [dollarsText(base), dollarsText(multiply(base, completion))];
  return exact.test(input) && exact.test(output) ? { rates: { input, output } } : null;
};
