import { vendorOf } from '@weir/contract/catalogue/vendors';
import type { Channel } from '@weir/contract/channels';
import { formatQuota } from '../../../lib/format/format.ts';
import type { QuotaDisplay } from '../../../lib/format/format.ts';

/** A channel's balance in its currency, else in the unit of its type (specification §9); undefined: the type has none. */
export const balanceText = (
  { type, balance, balance_currency: currency = '' }: Pick<Channel, 'type' | 'balance' | 'balance_currency'>,
  display: QuotaDisplay,
): string | undefined => {
  const unit = vendorOf(type)?.balance?.unit;
  if (unit === undefined) return undefined;
  if (currency !== '') return `${currency === 'USD' ? '$' : '¥'}${balance.toFixed(2)}`;
  switch (unit) {
    case 'usd':
      return `$${balance.toFixed(2)}`;
    case 'cny':
      return `¥${balance.toFixed(2)}`;
    case 'cny/10000':
      return `¥${(balance / 10_000).toFixed(2)}`;
    case 'quota':
      return formatQuota(balance, display);
  }
};
