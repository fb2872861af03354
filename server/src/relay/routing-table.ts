import { channelType } from '@weir/contract/channel-types';
import { parseBaseUrl } from '../providers/base-url.ts';
import type { Provider, ProviderChannel } from '../providers/provider.ts';
import { providerOf } from '../providers/providers.ts';
import type { Changes } from '../store/changes.ts';
import { type ChannelRow, findChannel, listEnabledChannels, openChannelKey } from '../store/channels.ts';
import type { Database } from '../store/database.ts';
import type { Secrets } from '../store/secrets.ts';

/** A channel as the relay uses it. */
export interface RoutedChannel extends ProviderChannel {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly enabled: boolean;
  /** Tells whether a row still has the key that this channel was loaded with. */
  readonly keyDigest: string;
  readonly priority: number;
  readonly weight: number;
  /** Comma-joined in the row. */
  readonly models: readonly string[];
  readonly groups: readonly string[];
  /** Null: this version does not speak the wire format of its type. */
  readonly provider: Provider | null;
  /** Put in front of every conversation; empty: none. */
  readonly systemPrompt: string;
  /** The model to ask for instead of this one. */
  redirect(model: string): string;
}

export interface RoutingTable {
  /** Null when the table is current; otherwise resolves once it is. */
  ready(): Promise<void> | null;
  /** The enabled channels that serve a model to a group, in no order. */
  serving(group: string, model: string): readonly RoutedChannel[];
  /** Models that enabled channels with a known wire format serve to a group, sorted. */
  models(group: string): readonly string[];
  /** A channel by its id, whether enabled or not, read from the database. */
  find(id: number): Promise<RoutedChannel | null>;
  close(): void;
}

export interface RoutingDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly changes: Changes;
  onError(error: unknown): void;
}

const listed = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];

/** The texts of a JSON object. It is checked when it is saved; whatever else is there says nothing. */
const readTexts = (text: string): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>();
  try {
    const parsed: unknown = text.trim() === '' ? {} : JSON.parse(text);
    for (const [name, value] of Object.entries(parsed ?? {}))
      if (typeof value === 'string' && value !== '') texts.set(name, value);
  } catch {
    return texts;
  }
  return texts;
};

/** The member of `config` where other consoles of this contract put what a type has as `other`. */
const otherIn: Readonly<Record<number, string>> = {
  3: 'api_version',
  17: 'plugin',
  18: 'api_version',
  21: 'library_id',
  24: 'api_version',
  33: 'region',
  34: 'user_id',
  37: 'user_id',
  42: 'region',
};

const toRouted = (secrets: Secrets, row: ChannelRow): RoutedChannel => {
  const redirections = readTexts(row.model_mapping);
  const config = readTexts(row.config);
  let key: string | undefined;
  const channel: ProviderChannel = {
    base: parseBaseUrl(row.base_url === '' ? (channelType(row.type)?.baseUrl ?? '') : row.base_url),
    other: row.other === '' ? (config.get(otherIn[row.type] ?? '') ?? '') : row.other,
    get key() {
      key ??= openChannelKey(secrets, row);
      return key;
    },
  };
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    enabled: row.status === 1,
    keyDigest: row.key_digest,
    priority: row.priority,
    weight: Math.max(0, row.weight),
    models: listed(row.models),
    groups: listed(row.group),
    provider: providerOf(row.type, channel),
    base: channel.base,
    other: channel.other,
    systemPrompt: row.system_prompt,
    get key() {
      return channel.key;
    },
    redirect: (model) => redirections.get(model) ?? model,
  };
};

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
export const loadRoutingTable = async ({ db, secrets, changes, onError }: RoutingDeps): Promise<RoutingTable> => {
  const channels = new Map<number, RoutedChannel>();
  let index: Index = new Map();
  const changed = new Set<number>();
  let updating: Promise<void> | null = null;

  const readAll = async () => {
    const rows = await listEnabledChannels(db);
    channels.clear();
    for (const row of rows) channels.set(row.id, toRouted(secrets, row));
  };
  const readOne = async (id: number) => {
    const row = await findChannel(db.query, id);
    if (row !== undefined && row.status === 1) channels.set(id, toRouted(secrets, row));
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
    find: async (id) => {
      const row = await findChannel(db.query, id);
      return row === undefined ? null : toRouted(secrets, row);
    },
    close: unsubscribe,
  };
};
