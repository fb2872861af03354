import { channelStatus } from '@weir/contract/channels';
import { type ChannelConfig, readChannelConfig } from '@weir/contract/channel-config';
import { vendorOf } from '@weir/contract/catalogue/vendors';
import { namesIn } from '@weir/contract/wire';
import { parseBaseUrl } from '../../providers/base-url.ts';
import type { Provider, ProviderChannel } from '../../providers/provider.ts';
import { providerOf } from '../../providers/providers.ts';
import { type ChannelRow, openChannelKey, openChannelKeys } from '../../store/channels/channels.ts';
import { openChannelConfig } from '../../store/channels/channel-config.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import { one, parseRatio, type Ratio } from '../../billing/price/ratio.ts';
import type { CallTimes } from '../limits.ts';
import { type ForwardProxy, readForwardProxy } from '../forward-proxy.ts';

/** A channel with one of its keys, as the relay uses it. */
export interface RoutedChannel extends ProviderChannel {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly enabled: boolean;
  /** Digest of the row's key text: differs once the row has other keys. */
  readonly keyDigest: string;
  /** Index of this key among the channel's, from 0. */
  readonly keyIndex: number;
  /** The channel with each of its keys, this one included. */
  readonly channelKeys: readonly RoutedChannel[];
  /** Identifies this key of this channel at this base URL. */
  readonly channelKey: string;
  readonly priority: number;
  readonly weight: number;
  /** Comma-separated in the row. */
  readonly models: readonly string[];
  readonly groups: readonly string[];
  /** Null: this version does not have the wire format of its type. */
  readonly provider: Provider | null;
  /** System text at the start of every conversation; empty: none. */
  readonly systemPrompt: string;
  readonly times: CallTimes;
  /** The proxy that its upstream is reached through; null: the environment decides. */
  readonly proxy: ForwardProxy | null;
  /** Later calls of a conversation prefer this channel. */
  readonly affinity: boolean;
  /** What it costs as a multiple of its vendor's list price. */
  readonly costFactor: Ratio;
  /** The upstream's name of a requested model. */
  redirect(model: string): string;
}

export interface RoutedChannelDeps {
  readonly secrets: Secrets;
  /** Defaults for channels without times of their own. */
  readonly times: CallTimes;
}

/** The string members of a JSON object. The text is validated when it is saved; anything else counts as empty. */
export const readTexts = (text: string): ReadonlyMap<string, string> => {
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

interface OpenConfig {
  /** With its secrets. */
  readonly text: string;
  /** An invalid one counts as empty. */
  readonly config: ChannelConfig;
}

const openConfig = (secrets: Secrets, row: ChannelRow): OpenConfig => {
  const text = openChannelConfig(secrets, row.config);
  const read = readChannelConfig(text);
  return { text, config: read.kind === 'config' ? read.config : {} };
};

const msOf = (seconds: number | undefined, otherwise: number): number =>
  seconds === undefined ? otherwise : seconds * 1000;

const timesOf = (config: ChannelConfig, times: CallTimes): CallTimes => ({
  firstByteMs: msOf(config.first_byte_seconds, times.firstByteMs),
  idleMs: msOf(config.idle_seconds, times.idleMs),
  totalMs: msOf(config.total_seconds, times.totalMs),
});

/** The members that do not depend on the key. */
const sharedOf = (row: ChannelRow, { text, config }: OpenConfig, times: CallTimes) => {
  const redirections = readTexts(row.model_mapping);
  const settings = readTexts(text);
  const vendor = vendorOf(row.type);
  const baseUrl = row.base_url === '' ? vendor?.baseUrl : row.base_url;
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    enabled: row.status === channelStatus.enabled,
    keyDigest: row.key_digest,
    priority: row.priority,
    weight: Math.max(0, row.weight),
    models: namesIn(row.models),
    groups: namesIn(row.group),
    base: parseBaseUrl(baseUrl ?? ''),
    other: row.other === '' ? (settings.get(vendor?.other?.configMember ?? '') ?? '') : row.other,
    setting: (name: string) => settings.get(name) ?? '',
    systemPrompt: row.system_prompt,
    times: timesOf(config, times),
    proxy: config.proxy === undefined ? null : readForwardProxy(config.proxy),
    affinity: config.affinity !== false,
    costFactor: parseRatio(String(config.cost_factor ?? 1)) ?? one,
    redirect: (model: string) => redirections.get(model) ?? model,
  };
};

type Shared = ReturnType<typeof sharedOf>;

const withKey = (shared: Shared, channelKeys: readonly RoutedChannel[], keyIndex: number, keyOf: () => string) => {
  const { base, keyDigest, id } = shared;
  const open: ProviderChannel = {
    base,
    other: shared.other,
    setting: shared.setting,
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

/** The channel of a row, with its first key. A single key is decrypted on first use. */
export const toRoutedChannel = ({ secrets, times }: RoutedChannelDeps, row: ChannelRow): RoutedChannel => {
  const open = openConfig(secrets, row);
  const { config } = open;
  const shared = sharedOf(row, open, times);
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
