import { vendorOf } from '@weir/contract/catalogue/vendors';
import type { Channel } from '@weir/contract/channels';
import { defaultGroup } from '@weir/contract/groups';
import { readDollars } from '../../../lib/format/exact.ts';
import { splitList, trimSlash } from '../../../lib/format/format.ts';
import { configMembers, wrongMembers } from './channel-config-text.ts';
import { fieldsOfType } from './vendor-fields.ts';
import type { ChannelFields } from '../queries.ts';

/** The form's values without the key: a draft of them is stored, a key never is. */
export interface ChannelValues {
  readonly type: number;
  readonly name: string;
  readonly baseUrl: string;
  readonly other: string;
  /** Comma-joined, as on the wire. */
  readonly models: string;
  readonly groups: string;
  readonly mapping: string;
  /** JSON text, as on the wire. */
  readonly config: string;
  readonly priority: string;
  readonly weight: string;
  /** Typed prices of models without one, by the name that the upstream is called with. */
  readonly prices?: ModelPrices;
  readonly [more: string]: unknown;
}

/** A price in dollars for a million tokens, as typed. */
export interface TypedPrice {
  readonly free: boolean;
  readonly input: string;
  readonly output: string;
}
export type ModelPrices = Readonly<Record<string, TypedPrice>>;

export const blankChannel: ChannelValues = {
  type: 1,
  name: '',
  baseUrl: '',
  other: '',
  models: '',
  groups: defaultGroup,
  mapping: '',
  config: '',
  priority: '0',
  weight: '0',
};

/** Other servers of the contract send null for some of these. */
const orEmpty = (value: string | null): string => value ?? '';

/** The value in `config` that is in force while `other` is empty; empty: there is none. */
const configuredOther = (type: number, config: string): string => {
  const { [fieldsOfType(type).otherMember]: value } = configMembers(config);
  return typeof value === 'string' ? value : '';
};

export const valuesOf = (channel: Channel): ChannelValues => ({
  type: channel.type,
  name: channel.name,
  baseUrl: orEmpty(channel.base_url),
  other: orEmpty(channel.other) || configuredOther(channel.type, orEmpty(channel.config)),
  models: splitList(channel.models).join(','),
  groups: splitList(channel.group).join(',') || defaultGroup,
  mapping: orEmpty(channel.model_mapping),
  config: orEmpty(channel.config),
  priority: String(channel.priority ?? 0),
  weight: String(channel.weight ?? 0),
});

export type ChannelProblem = 'incomplete' | 'models' | 'prices' | 'priority' | 'weight' | 'mapping' | 'config';

const isJson = (value: string): boolean => {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
};

/** An empty text counts as 0. */
const isWhole = (typed: string): boolean => Number.isSafeInteger(Number(typed));

const isWrongAmount = (typed: string): boolean => typed.trim() !== '' && readDollars(typed) === undefined;
/** Empty amounts leave the model without a price; an output alone is no price. */
export const isWrongPrice = ({ free, input, output }: TypedPrice): boolean =>
  !free && (isWrongAmount(input) || isWrongAmount(output) || (input.trim() === '' && output.trim() !== ''));

/** The errors of the form, in the order of the specification (§5); `newKey` only if a key is required. The server would keep the name instead of an empty one. */
export const problemOf = (values: ChannelValues, newKey: string | undefined): ChannelProblem | undefined => {
  const keyMissing = newKey !== undefined && newKey.trim() === '';
  if (values.name.trim() === '' || keyMissing) return 'incomplete';
  if (splitList(values.models).length === 0 && vendorOf(values.type)?.needsModels !== false) return 'models';
  if (Object.values(values.prices ?? {}).some(isWrongPrice)) return 'prices';
  if (!isWhole(values.priority)) return 'priority';
  if (!isWhole(values.weight)) return 'weight';
  if (values.mapping.trim() !== '' && !isJson(values.mapping)) return 'mapping';
  return wrongMembers(values.config).size > 0 ? 'config' : undefined;
};

/** The change to another type. What was entered as `other` for the type before means nothing to this one. */
export const typeChange = (values: ChannelValues, type: number): Partial<ChannelValues> =>
  type === values.type ? { type } : { type, other: '' };

/** An empty field leaves the value of `config` in force, else it means the default. */
const otherOf = ({ type, other, config }: ChannelValues): string =>
  other.trim() || (configuredOther(type, config) === '' ? fieldsOfType(type).otherDefault : '');

/** How the provider is reached, and the models. */
export const connectionOf = (values: ChannelValues) => ({
  type: values.type,
  base_url: trimSlash(values.baseUrl),
  other: otherOf(values),
  models: splitList(values.models).join(','),
  model_mapping: values.mapping.trim(),
  config: values.config,
});

/** The request body of the form. An empty key is omitted: the server keeps the stored one. */
export const fieldsOf = (values: ChannelValues, key: string): ChannelFields => ({
  ...connectionOf(values),
  name: values.name.trim(),
  group: splitList(values.groups).join(',') || defaultGroup,
  priority: Number(values.priority),
  weight: Math.max(0, Number(values.weight)),
  ...(key.trim() === '' ? {} : { key: key.trim() }),
});

/** The lines of the key field are keys of one channel. */
export const hasSeveralKeys = ({ config }: ChannelValues): boolean => configMembers(config)['multi_key'] === true;

/** The keys of a batch, one per line, and the number of duplicate lines. */
export const keysIn = (text: string): { readonly count: number; readonly doubles: number } => {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return { count: keys.length, doubles: keys.length - new Set(keys).size };
};

/** Dated model names, mapped to base names with the same price (specification §9). */
export const mappingExample = JSON.stringify(
  { 'gpt-3.5-turbo-0301': 'gpt-3.5-turbo', 'gpt-4-0314': 'gpt-4', 'gpt-4-32k-0314': 'gpt-4-32k' },
  null,
  2,
);

/** The models of the "basic" button (specification §9). */
export const isBasicModel = (name: string): boolean => name.startsWith('gpt-3') || name.startsWith('text-');
