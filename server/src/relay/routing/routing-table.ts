import { channelStatus } from '@weir/contract/channels';
import type { Changes } from '../../store/nodes/changes.ts';
import { findChannel, listDisabledChannels, listEnabledChannels } from '../../store/channels/channels.ts';
import type { Database } from '../../store/database.ts';
import { type RoutedChannel, type RoutedChannelDeps, toRoutedChannel } from './routed-channel.ts';

export interface RoutingTable {
  /** Null when the table is current; otherwise resolves once it is. */
  ready(): Promise<void> | null;
  /** The enabled channels that serve a model to a group, in no order. */
  serving(group: string, model: string): readonly RoutedChannel[];
  /** Models that enabled channels with a known wire format serve to a group, sorted. */
  models(group: string): readonly string[];
  /** Every enabled channel. */
  all(): Iterable<RoutedChannel>;
  /** Enabled channels that list a model, whatever their groups are. */
  listing(model: string): readonly RoutedChannel[];
  /** The latest disabled channels that list a model, read from the database. */
  disabled(model: string): Promise<readonly RoutedChannel[]>;
  /** A channel by its id, whether enabled or not, read from the database. */
  find(id: number): Promise<RoutedChannel | null>;
  close(): void;
}

export interface RoutingDeps extends RoutedChannelDeps {
  readonly db: Database;
  readonly changes: Changes;
  onError(error: unknown): void;
}

type Index = ReadonlyMap<string, ReadonlyMap<string, readonly RoutedChannel[]>>;

/** group → model → channels. */
const indexOf = (channels: Iterable<RoutedChannel>): Index => {
  const index = new Map<string, Map<string, RoutedChannel[]>>();
  const add = (channel: RoutedChannel, models: Map<string, RoutedChannel[]>) => {
    for (const model of channel.models) {
      const serving = models.get(model);
      if (serving === undefined) models.set(model, [channel]);
      else serving.push(channel);
    }
  };
  for (const channel of channels) {
    for (const group of channel.groups) {
      const models = index.get(group) ?? new Map<string, RoutedChannel[]>();
      index.set(group, models);
      add(channel, models);
    }
  }
  return index;
};

/** Loads the enabled channels and keeps them current: a change of one channel reads that one alone. */
export const loadRoutingTable = async (deps: RoutingDeps): Promise<RoutingTable> => {
  const { db, changes, onError } = deps;
  const channels = new Map<number, RoutedChannel>();
  let index: Index = new Map();
  const changed = new Set<number>();
  let updating: Promise<void> | null = null;

  const readAll = async () => {
    const rows = await listEnabledChannels(db);
    channels.clear();
    for (const row of rows) channels.set(row.id, toRoutedChannel(deps, row));
  };
  const readOne = async (id: number) => {
    const row = await findChannel(db.read, id);
    if (row !== undefined && row.status === channelStatus.enabled) channels.set(id, toRoutedChannel(deps, row));
    else channels.delete(id);
  };
  const update = async () => {
    while (changed.size > 0) {
      const ids = [...changed];
      changed.clear();
      if (ids.includes(0)) await readAll();
      else await Promise.all(ids.map(readOne));
    }
    index = indexOf(channels.values());
  };
  const unsubscribe = changes.subscribe('channel', ({ id }) => {
    changed.add(Number(id));
    updating ??= update()
      .catch(onError)
      .finally(() => (updating = null));
  });
  await readAll();
  index = indexOf(channels.values());

  return {
    ready: () => updating,
    serving: (group, model) => index.get(group)?.get(model) ?? [],
    models: (group) =>
      [...(index.get(group) ?? [])]
        .filter(([, serving]) => serving.some(({ provider }) => provider !== null))
        .map(([model]) => model)
        .sort(),
    all: () => channels.values(),
    listing: (model) => [...channels.values()].filter(({ models }) => models.includes(model)),
    disabled: async (model) => {
      const rows = await listDisabledChannels(db);
      return rows.map((row) => toRoutedChannel(deps, row)).filter(({ models }) => models.includes(model));
    },
    find: async (id) => {
      const row = await findChannel(db.read, id);
      return row === undefined ? null : toRoutedChannel(deps, row);
    },
    close: unsubscribe,
  };
};
