import { type ChannelConfig, readChannelConfig } from '@weir/contract/channel-config';
import { vendorOf } from '@weir/contract/catalogue/vendors';
import { parseBaseUrl } from '../../providers/base-url.ts';
import type { Provider, ProviderChannel } from '../../providers/provider.ts';
import { providerOf } from '../../providers/providers.ts';
import { type ChannelRow, openChannelKey, openChannelKeys } from '../../store/channels/channels.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import type { CallTimes } from '../limits.ts';

/** A channel with one of its keys, as the relay uses it. */
export interface RoutedChannel extends ProviderChannel {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly enabled: boolean;
  /** Tells whether a row still has the key that this channel was loaded with. */
  readonly keyDigest: string;
  /** Which of the channel's keys this is, from 0. */
  readonly keyIndex: number;
  /** The channel with each of its keys, this one among them. */
  readonly channelKeys: readonly RoutedChannel[];
  /** The same for the same key of the same channel at the same address, and for nothing else. */
  readonly channelKey: string;
  readonly priority: number;
  readonly weight: number;
  /** Comma-joined in the row. */
  readonly models: readonly string[];
  readonly groups: readonly string[];
  /** Null: this version does not speak the wire format of its type. */
  readonly provider: Provider | null;
  /** Put in front of every conversation; empty: none. */
  readonly systemPrompt: string;
  readonly times: CallTimes;
  /** Conversations stay with it. */
  readonly affinity: boolean;
  /** The model to ask for instead of this one. */
  redirect(model: string): string;
}

export interface RoutedChannelDeps {
  readonly secrets: Secrets;
  /** Of channels that say nothing else. */
  readonly times: CallTimes;
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

/** What of the config this gateway itself goes by; one that cannot be used says nothing. */
const configOf = (text: string): ChannelConfig => {
  const read = readChannelConfig(text);
  return read.kind === 'config' ? read.config : {};
};

const msOf = (seconds: number | undefined, otherwise: number): number =>
  seconds === undefined ? otherwise : seconds * 1000;

const timesOf = (config: ChannelConfig, times: CallTimes): CallTimes => ({
  firstByteMs: msOf(config.first_byte_seconds, times.firstByteMs),
  idleMs: msOf(config.idle_seconds, times.idleMs),
  totalMs: msOf(config.total_seconds, times.totalMs),
});

/** What does not depend on the key. */
const sharedOf = (row: ChannelRow, config: ChannelConfig, times: CallTimes) => {
  const redirections = readTexts(row.model_mapping);
  const vendor = vendorOf(row.type);
  const baseUrl = row.base_url === '' ? vendor?.baseUrl : row.base_url;
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
    base: parseBaseUrl(baseUrl ?? ''),
    other: row.other === '' ? (readTexts(row.config).get(vendor?.other?.configMember ?? '') ?? '') : row.other,
    systemPrompt: row.system_prompt,
    times: timesOf(config, times),
    affinity: config.affinity !== false,
    redirect: (model: string) => redirections.get(model) ?? model,
  };
};

type Shared = ReturnType<typeof sharedOf>;

const withKey = (shared: Shared, channelKeys: readonly RoutedChannel[], keyIndex: number, keyOf: () => string) => {
  const { base, keyDigest, id } = shared;
  const open: ProviderChannel = {
    base,
    other: shared.other,
    get key() {
      return keyOf();
    },
  };
  const keyed: RoutedChannel = {
    ...shared,
    keyIndex,
    channelKeys,
    channelKey: `${id}/${keyIndex}/${keyDigest}/${base === null ? '' : base.origin + base.path}`,
    provider: providerOf(shared.type, open),
    get key() {
      return keyOf();
    },
  };
  return keyed;
};

/** The channel of a row, with the first of its keys. A key is opened when it is first needed. */
export const toRoutedChannel = ({ secrets, times }: RoutedChannelDeps, row: ChannelRow): RoutedChannel => {
  const config = configOf(row.config);
  const shared = sharedOf(row, config, times);
  const channelKeys: RoutedChannel[] = [];
  if (config.multi_key === true) {
    for (const [index, key] of openChannelKeys(secrets, row).entries())
      channelKeys.push(withKey(shared, channelKeys, index, () => key));
  }
  let key: string | undefined;
  const [first = withKey(shared, channelKeys, 0, () => (key ??= openChannelKey(secrets, row)))] = channelKeys;
  if (channelKeys.length === 0) channelKeys.push(first);
  return first;
};
