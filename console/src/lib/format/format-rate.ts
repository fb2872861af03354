import { abbreviate } from './format.ts';
import type { QuotaDisplay } from './format.ts';

const tiny = 0.0001;

/** `$2.50`, `$0.0375`, `$0.0000002`: an amount that is not nothing never looks like nothing. */
export const smallDollars = (amount: number): string =>
  `$${amount.toLocaleString(
    'en-US',
    amount > 0 && amount < tiny
      ? { maximumSignificantDigits: 3 }
      : { minimumFractionDigits: 2, maximumFractionDigits: 6 },
  )}`;

/** The price of many tokens: `$2.50`, `$0.0375`, or quota units. */
export const formatRate = (quota: number, { perUnit, inCurrency }: QuotaDisplay): string =>
  inCurrency ? smallDollars(quota / perUnit) : abbreviate(Number(quota.toFixed(2)));
