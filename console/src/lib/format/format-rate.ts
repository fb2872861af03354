import { abbreviate } from './format.ts';
import type { QuotaDisplay } from './format.ts';

/** The price of many tokens: `$2.50`, `$0.0375`, or quota units. */
export const formatRate = (quota: number, { perUnit, inCurrency }: QuotaDisplay): string =>
  inCurrency
    ? `$${(quota / perUnit).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`
    : abbreviate(Number(quota.toFixed(2)));
