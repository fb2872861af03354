import type { ListedPrice } from '../../billing/price/price-table.ts';
import type { Prices } from '../../billing/price/prices.ts';
import type { RoutingTable } from './routing-table.ts';

/** A model that a group can call now. */
export interface OfferedModel {
  readonly model: string;
  /** The number of enabled channels that serve it. */
  readonly channels: number;
  /** The names that they call their upstreams by. */
  readonly sent: readonly string[];
  /** Its prices, each once: channels may redirect it, and types of channels have prices of their own. */
  readonly prices: readonly ListedPrice[];
}

/** The prices that a group pays for each model it can call. */
export const offeredModels = async (
  routes: Pick<RoutingTable, 'ready' | 'models' | 'serving'>,
  prices: Pick<Prices, 'current'>,
  { group, atMs }: { readonly group: string; readonly atMs: number },
): Promise<readonly OfferedModel[]> => {
  await routes.ready();
  const table = prices.current();
  return routes.models(group).map((model) => {
    const serving = routes.serving(group, model).filter(({ provider }) => provider !== null);
    const found = new Map<string, ListedPrice>();
    const sent = new Set<string>();
    for (const channel of serving) {
      const name = channel.redirect(model);
      sent.add(name);
      const listed = table.listed({
        model: name,
        channelType: channel.type,
        channelId: channel.id,
        group,
        atMs,
      });
      found.set(listed.key, listed);
    }
    return { model, channels: serving.length, sent: [...sent], prices: [...found.values()] };
  });
};

/** A model by the name that upstreams are called with. */
export interface SentModel {
  readonly model: string;
  /** The enabled channels that send it, by id. */
  readonly channels: readonly { readonly id: number; readonly name: string; readonly type: number }[];
}

/** All models that enabled channels send, after redirection, whatever their groups are. */
export const sentModels = async (routes: Pick<RoutingTable, 'ready' | 'all'>): Promise<readonly SentModel[]> => {
  await routes.ready();
  const found = new Map<string, Map<number, SentModel['channels'][number]>>();
  for (const channel of routes.all()) {
    if (channel.provider === null) continue;
    const { id, name, type } = channel;
    for (const requested of channel.models) {
      const model = channel.redirect(requested);
      const channels = found.get(model) ?? new Map<number, SentModel['channels'][number]>();
      found.set(model, channels.set(id, { id, name, type }));
    }
  }
  return [...found].map(([model, channels]) => ({
    model,
    channels: [...channels.values()].toSorted((one, other) => one.id - other.id),
  }));
};
