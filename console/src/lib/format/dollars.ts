import { formatCost, formatQuota } from './format.ts';

const dollars = { perUnit: 1, inCurrency: true } as const;

/** Decimal text of dollars for people, as `$1.20`. */
export const dollarsText = (amount: string): string => formatQuota(Number(amount), dollars);

/** The same, with 6 decimals under one cent. */
export const fineDollarsText = (amount: string): string => formatCost(Number(amount), dollars);

interface CostAndMargin {
  /** Decimal text of dollars. */
  readonly cost: string;
  readonly margin: string;
}

/** The margin as a part of a hundred of what the calls of known cost brought in; undefined: they brought in nothing. */
export const marginShare = ({ cost, margin }: CostAndMargin): number | undefined => {
  const revenue = Number(cost) + Number(margin);
  return revenue > 0 ? (Number(margin) / revenue) * 100 : undefined;
};

/** The same as `24%`. */
export const marginPercent = (amounts: CostAndMargin): string | undefined => {
  const percent = marginShare(amounts);
  if (percent === undefined) return undefined;
  if (percent < -999) return '<-999%';
  return `${percent.toFixed(Math.abs(percent) < 10 && percent !== 0 ? 1 : 0)}%`;
};
