import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { deleteOwnPrice, listPricedModels, putOwnPrice, putOwnPrices } from '@weir/contract/prices/own-prices';
import type { OwnPriceInput } from '@weir/contract/prices/own-prices';
import { call } from '../../../lib/api/call.ts';

/** Prices in dollars of one model, or of all (empty). */
export const pricedModelsQuery = (model: string) =>
  queryOptions({
    queryKey: ['pricing', 'models', model],
    staleTime: 0,
    queryFn: ({ signal }) => call(listPricedModels, { query: { model }, signal }),
  });

/** The lists of prices, and what needs attention on the dashboard. */
const forget = async (client: QueryClient): Promise<void> => {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['pricing'] }),
    client.invalidateQueries({ queryKey: ['attention', 'unpriced'] }),
    client.invalidateQueries({ queryKey: ['options'] }),
  ]);
};

export const storePrice = async (client: QueryClient, price: OwnPriceInput) => {
  const stored = await call(putOwnPrice, { body: price });
  await forget(client);
  return stored;
};

export const storePrices = async (client: QueryClient, prices: OwnPriceInput[]) => {
  const stored = await call(putOwnPrices, { body: { prices } });
  await forget(client);
  return stored;
};

interface Removed {
  readonly model: string;
  readonly group: string;
  readonly channel: number;
  /** Unix seconds; absent: every price of the scope. */
  readonly from?: number;
}

export const removePrice = async (client: QueryClient, price: Removed): Promise<void> => {
  await call(deleteOwnPrice, { query: { ...price } });
  await forget(client);
};
