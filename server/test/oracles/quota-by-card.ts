import type { PriceCard, ServiceClass } from '@weir/contract/prices/price-book';
import { createOwnPriceIndex } from '../../src/billing/price/own-price-index.ts';
import { createPriceTable } from '../../src/billing/price/price-table.ts';
import { one, parseRatio } from '../../src/billing/price/ratio.ts';

const none = { modelRatio: '', completionRatio: '', groupRatio: '', partRatio: '' };

interface Used {
  readonly prompt: number;
  readonly completion: number;
  readonly parts?: Readonly<Record<string, number>>;
  readonly serviceClass?: ServiceClass;
}

/** What the product charges by a price card that the operator has set for a model: the counterpart of the oracles. */
export const quotaByCard = (
  card: PriceCard,
  { unitsPerDollar, group, atMs }: { readonly unitsPerDollar: string; readonly group: string; readonly atMs: number },
): ((used: Used) => number) => {
  const table = createPriceTable({
    version: 1,
    operator: { ...none, groupRatio: `{"g":${group}}` },
    builtIn: none,
    lists: null,
    own: createOwnPriceIndex([{ model: 'm', group: '', channelId: 0, from: 0, card }]),
    unitsPerDollar: parseRatio(unitsPerDollar) ?? one,
    unpriced: 'refuse',
    madeAtMs: atMs,
  });
  const price = table.price({ model: 'm', channelType: 1, group: 'g', atMs });
  return (used) => price.quota(used);
};
