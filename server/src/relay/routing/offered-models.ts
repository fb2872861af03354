import type { Price } from '../../billing/price/price.ts';
import type { Prices } from '../../billing/price/prices.ts';
import type { RoutingTable } from './routing-table.ts';

/** A model that a group can call now. */
export interface OfferedModel {
  readonly model: string;
  /** The number of enabled channels that serve it. */
  readonly channels: number;
  /** Its prices, each once: channels may redirect it, and types of channels have prices of their own. */
  readonly prices: readonly Price[];
}

/** The prices that a group pays for each model it can call. */
export const offeredModels = async (
  routes: Pick<RoutingTable, 'ready' | 'models' | 'serving'>,
  prices: Pick<Prices, 'current'>,
  group: string,
): Promise<readonly OfferedModel[]> => {
  await routes.ready();
  const table = prices.current();
  return routes.models(group).map((model) => {
    const serving = routes.serving(group, model).filter(({ provider }) => provider !== null);
    const found = new Map<string, Price>();
    for (const channel of serving) {
      const price = table.price({
        model: channel.redirect(model),
        channelType: channel.type,
        channelId: channel.id,
        group,
      });
      found.set(price.detail, price);
    }
    return { model, channels: serving.length, prices: [...found.values()] };
  });
};
