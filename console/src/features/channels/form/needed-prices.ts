import { vendorOf } from '@weir/contract/catalogue/vendors';
import type { OwnPriceInput } from '@weir/contract/prices/own-prices';
import { readDollars } from '../../../lib/format/exact.ts';
import { splitList } from '../../../lib/format/format.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { ChannelValues, TypedPrice } from './channel-values.ts';

/** Names and addresses of a machine of the operator's own: loopback, private and link-local ones, names without a dot. */
const ownHost = [
  /^[^.:]+$/,
  /\.(?:local|localhost|internal|lan)$/,
  /^(?:127|10)(?:\.\d+){3}$/,
  /^(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2}$/,
  /^\[(?:::1|f[cd][\da-f:]+|fe80:[\da-f:]+)\]$/,
];

const hostOf = (address: string): string => {
  try {
    return new URL(address).hostname;
  } catch {
    return '';
  }
};

/** Whether the provider is a server of the operator's own, whose models cost nothing by the token. */
export const isLocal = ({ type, baseUrl }: Pick<ChannelValues, 'type' | 'baseUrl'>): boolean => {
  const host = hostOf(baseUrl.trim() || (vendorOf(type)?.baseUrl ?? ''));
  return ownHost.some((form) => form.test(host));
};

/** The names that the upstream is called with. */
export const sentModels = ({ models, mapping }: Pick<ChannelValues, 'models' | 'mapping'>): readonly string[] => {
  let redirects: Record<string, unknown> = {};
  try {
    const parsed: unknown = mapping.trim() === '' ? {} : JSON.parse(mapping);
    if (isRecord(parsed)) redirects = parsed;
  } catch {
    // The form says that the mapping is wrong.
  }
  return [
    ...new Set(
      splitList(models).map((name) => {
        const target = redirects[name];
        return typeof target === 'string' && target !== '' ? target : name;
      }),
    ),
  ];
};

/** The price that the form shows for a model until one is typed: free for a server of the operator's own. */
export const suggestedPrice = (values: Pick<ChannelValues, 'type' | 'baseUrl'>): TypedPrice => ({
  free: isLocal(values),
  input: '',
  output: '',
});

export type NeededPrice = Pick<OwnPriceInput, 'model' | 'card'>;

/** The prices of the form to store with the channel; empty amounts leave a model without one. */
export const pricesOf = (values: ChannelValues, unpriced: readonly string[]): readonly NeededPrice[] =>
  unpriced.flatMap((model): NeededPrice[] => {
    const { free, input, output } = values.prices?.[model] ?? suggestedPrice(values);
    if (free) return [{ model, card: { rates: { input: '0', output: '0' } } }];
    const amount = readDollars(input);
    return amount === undefined
      ? []
      : [{ model, card: { rates: { input: amount, output: readDollars(output) ?? '0' } } }];
  });
