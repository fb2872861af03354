import type { ListedPrice } from '../../billing/price/price-table.ts';
import type { Prices } from '../../billing/price/prices.ts';
import type { Ratio } from '../../billing/price/ratio.ts';
import type { RoutingTable } from './routing-table.ts';

/** A model that a group can call now. */
export interface OfferedModel {
  readonly model: string;
  /** The number of enabled channels that serve it. */
  readonly channels: number;
  /** The names that they call their upstreams by. */
  readonly sent: readonly string[];
  /** The types of the channels that serve it, with those names, each once. */
  readonly sources: readonly { readonly type: number; readonly model: string }[];
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
    const sources = new Map<string, OfferedModel['sources'][number]>();
    for (const channel of serving) {
      const name = channel.redirect(model);
      sent.add(name);
      sources.set(`${channel.type} ${name}`, { type: channel.type, model: name });
      const listed = table.listed({
        model: name,
        channelType: channel.type,
        channelId: channel.id,
        group,
        atMs,
      });
      found.set(listed.key, listed);
    }
    const shared = { model, channels: serving.length, sent: [...sent] };
    return { ...shared, sources: [...sources.values()], prices: [...found.values()] };
  });
};

interface SendingChannel {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  /** The names that clients call the model by. */
  readonly requested: readonly string[];
  /** What the operator pays of the list price. */
  readonly costFactor: Ratio;
}

/** A model by the name that upstreams are called with. */
export interface SentModel {
  readonly model: string;
  /** The enabled channels that send it, by id. */
  readonly channels: readonly SendingChannel[];
}

/** All models that enabled channels send, after redirection, whatever their groups are. */
export const sentModels = async (routes: Pick<RoutingTable, 'ready' | 'all'>): Promise<readonly SentModel[]> => {
  await routes.ready();
  const found = new Map<string, Map<number, SendingChannel>>();
  for (const channel of routes.all()) {
    if (channel.provider === null) continue;
    const { id, name, type, costFactor } = channel;
    for (const requested of channel.models) {
      const model = channel.redirect(requested);
      const channels = found.get(model) ?? new Map<number, SendingChannel>();
      const others = channels.get(id)?.requested ?? [];
      found.set(model, channels.set(id, { id, name, type, costFactor, requested: [...others, requested] }));
    }
  }
  return [...found].map(([model, channels]) => ({
    model,
    channels: [...channels.values()].toSorted((one, other) => one.id - other.id),
  }));
};
