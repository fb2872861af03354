import type { BodyOf } from '@weir/contract/endpoint';
import { channelStatus, type createChannel, type updateChannel } from '@weir/contract/channels';
import { defaultGroup } from '@weir/contract/groups';
import { AppError } from '../errors.ts';
import type { ChannelChange } from '../store/channels.ts';

/** The columns that a request may set. */
export type ChannelFields = { [Key in ChannelField]?: NonNullable<ChannelChange[Key]> };
type ChannelField =
  | 'type'
  | 'name'
  | 'status'
  | 'weight'
  | 'priority'
  | 'base_url'
  | 'other'
  | 'models'
  | 'group'
  | 'model_mapping'
  | 'config'
  | 'system_prompt';

type Input = BodyOf<typeof createChannel> | BodyOf<typeof updateChannel>;

const isObjectText = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

const isTextMap = (text: string): boolean =>
  isObjectText(text) && Object.values(Object(JSON.parse(text))).every((value) => typeof value === 'string');

const toList = (text: string): string =>
  [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== '').join(',');

const toBaseUrl = (text: string): string => {
  const address = text.trim().replace(/\/+$/, '');
  if (address === '') return '';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const plain = url?.username === '' && url.password === '' && /^https?:$/.test(url.protocol);
  if (!plain) throw new AppError('channel_address_invalid');
  return address;
};

const toStatus = (status: number): number => {
  if (status !== channelStatus.enabled && status !== channelStatus.disabled) throw new AppError('status_invalid');
  return status;
};

const checked = (text: string, isRight: (text: string) => boolean, code: 'channel_mapping_invalid' | 'channel_config_invalid') => {
  if (text.trim() !== '' && !isRight(text)) throw new AppError(code);
  return text.trim();
};

/** Present members only: null and absent mean unchanged. */
const present = <Value, Result>(value: Value | null | undefined, read: (value: Value) => Result): Result | undefined =>
  value === null || value === undefined ? undefined : read(value);

const withoutUndefined = <Fields extends object>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } =>
  // `Object.entries` forgets the keys' types; dropping undefined members changes nothing else.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
  };

/** The columns that a request sets, checked. Stale members that forms echo (balance, times, used quota) are not read. */
export const readChannel = (input: Input): ChannelFields =>
  withoutUndefined({
    type: input.type,
    name: present(input.name, (name) => name.trim()),
    status: present(input.status, toStatus),
    weight: present(input.weight, (weight) => Math.max(0, weight)),
    priority: present(input.priority, (priority) => priority),
    base_url: present(input.base_url, toBaseUrl),
    other: present(input.other, (other) => other),
    models: present(input.models, toList),
    group: present(input.group, (group) => toList(group) || defaultGroup),
    model_mapping: present(input.model_mapping, (text) => checked(text, isTextMap, 'channel_mapping_invalid')),
    config: present(input.config, (text) => checked(text, isObjectText, 'channel_config_invalid')),
    system_prompt: present(input.system_prompt, (prompt) => prompt),
  });

/** One key per line; blank lines count for nothing. */
export const readKeys = (key: string | undefined): string[] =>
  (key ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
