import { parseRatio, ratio, ratioToText } from '../../billing/price/ratio.ts';
import { unknownCost } from '../../store/logs/log-columns.ts';
import type { Sums } from '../../store/logs/log-sums.ts';

const nanoPerDollar = 1_000_000_000n;

/** Nano-dollars as dollars: exact decimal text. */
export const dollarsOf = (nano: bigint): string => ratioToText(ratio(nano, nanoPerDollar));

/** What a call cost its vendor, in dollars; null: not known. */
export const costOfRow = ({ cost }: { readonly cost: number }): string | null =>
  cost === unknownCost ? null : dollarsOf(BigInt(cost));

/** Quota units in nano-dollars, rounded down. Units of 0 dollars are worth nothing. */
const nanoOf = (quota: number, quotaPerDollar: number): bigint => {
  const per = parseRatio(String(quotaPerDollar));
  return per === null || per.times <= 0n ? 0n : (BigInt(quota) * nanoPerDollar * per.over) / per.times;
};

/** What is left of a charge when its vendor is paid, in dollars; null: its cost is not known. */
export const marginOfRow = (
  { quota, cost }: { readonly quota: number; readonly cost: number },
  quotaPerDollar: number,
): string | null => (cost === unknownCost ? null : dollarsOf(nanoOf(quota, quotaPerDollar) - BigInt(cost)));

/** Amounts in dollars, and the margin of the calls whose cost is known. */
export const marginAmounts = (sums: Sums, quotaPerDollar: number) => ({
  requests: sums.requests,
  quota: sums.quota,
  revenue: dollarsOf(nanoOf(sums.quota, quotaPerDollar)),
  cost: dollarsOf(sums.cost),
  uncosted: sums.quota - sums.costed,
  margin: dollarsOf(nanoOf(sums.costed, quotaPerDollar) - sums.cost),
});
