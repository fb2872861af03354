import { readChannelConfig } from '@weir/contract/channel-config';
import { vendorOf } from '@weir/contract/catalogue/vendors';
import { parseBaseUrl } from '../../providers/base-url.ts';
import type { Provider, ProviderChannel } from '../../providers/provider.ts';
import { providerOf } from '../../providers/providers.ts';
import { type ForwardProxy, readForwardProxy } from '../forward-proxy.ts';
import { readTexts } from './routed-channel.ts';

/** A channel as an administrator describes it, which may not be stored. */
export interface ChannelDescription {
  readonly type: number;
  readonly key: string;
  /** Empty: its vendor's. */
  readonly baseUrl: string;
  readonly other: string;
  /** With its secrets. */
  readonly config: string;
}

/** The described channel as providers see it, with its provider and its proxy. */
export const describedChannel = ({
  type,
  key,
  baseUrl,
  other,
  config,
}: ChannelDescription): ProviderChannel & {
  readonly provider: Provider | null;
  readonly proxy: ForwardProxy | null;
} => {
  const vendor = vendorOf(type);
  const settings = readTexts(config);
  const read = readChannelConfig(config);
  const channel: ProviderChannel = {
    base: parseBaseUrl(baseUrl === '' ? (vendor?.baseUrl ?? '') : baseUrl),
    key,
    other: other === '' ? (settings.get(vendor?.other?.configMember ?? '') ?? '') : other,
    setting: (name) => settings.get(name) ?? '',
  };
  const proxy = read.kind === 'config' ? read.config.proxy : undefined;
  return {
    ...channel,
    provider: providerOf(type, channel),
    proxy: proxy === undefined ? null : readForwardProxy(proxy),
  };
};
