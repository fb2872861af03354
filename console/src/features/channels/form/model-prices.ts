import { searchChannels } from '@weir/contract/channels';
import type { QueryClient } from '@tanstack/react-query';
import { findUnpricedModels, putOwnPrices } from '@weir/contract/prices/own-prices';
import { call } from '../../../lib/api/call.ts';
import { statusWithCapabilities } from '../../../lib/api/capabilities.ts';
import { mayI } from '../../../lib/api/session.ts';
import type { ChannelValues } from './channel-values.ts';
import { pricesOf, sentModels } from './needed-prices.ts';
import type { NeededPrice } from './needed-prices.ts';

/** Which models have no price on such a channel, and what happens to their calls. */
export const findUnpriced = (
  { type, models }: { readonly type: number; readonly models: readonly string[] },
  id: number | undefined,
  signal?: AbortSignal,
) =>
  call(findUnpricedModels, {
    body: { type, models: models.join(','), ...(id !== undefined && { channel: id }) },
    ...(signal && { signal }),
  });

/** What is to be stored once the channel is: nothing on other servers of the contract, and for others than root. */
export const neededPrices = async (values: ChannelValues, id: number | undefined): Promise<readonly NeededPrice[]> => {
  const models = sentModels(values);
  if (!mayI('root') || models.length === 0 || !(await statusWithCapabilities())) return [];
  const { models: unpriced } = await findUnpriced({ type: values.type, models }, id);
  return pricesOf(values, unpriced);
};

const atOnce = 1000;

/** Stores the prices for each of these channels alone: another channel may sell the same name at its vendor's price. */
export const storePrices = async (
  client: QueryClient,
  prices: readonly NeededPrice[],
  channels: readonly number[],
): Promise<void> => {
  const all = channels.flatMap((channel) => prices.map((price) => ({ ...price, channel })));
  for (let at = 0; at < all.length; at += atOnce)
    await call(putOwnPrices, { body: { prices: all.slice(at, at + atOnce) } });
  if (all.length > 0) {
    await client.invalidateQueries({ queryKey: ['pricing'] });
    await client.invalidateQueries({ queryKey: ['attention', 'unpriced'] });
  }
};

interface Made {
  readonly name: string;
  /** The number of channels that were made: one for each key. */
  readonly count: number;
}

/** Stores the prices for the newest channels of a name, which were just made. */
export const storeForNewest = async (
  client: QueryClient,
  prices: readonly NeededPrice[],
  { name, count }: Made,
): Promise<void> => {
  if (prices.length === 0) return;
  const found = await call(searchChannels, { query: { keyword: name.trim() } });
  const ids = found.filter((channel) => channel.name === name.trim()).map(({ id }) => id);
  await storePrices(client, prices, ids.toSorted((one, other) => other - one).slice(0, count));
};
