import type { BodyOf } from '@weir/contract/endpoint';
import { readChannelConfig } from '@weir/contract/channel-config';
import { channelStatus, type createChannel, type updateChannel } from '@weir/contract/channels';
import { namesIn } from '@weir/contract/wire';
import { AppError } from '../../errors.ts';
import { inputFaults } from '../../http/input-faults.ts';
import type { ChannelChange } from '../../store/channels/channels.ts';
import { readWebAddress } from '../web-address.ts';

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

/** The members of a JSON object text; undefined: not an object. */
const readObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

const isTextMap = (text: string): boolean => {
  const members = readObject(text);
  return members !== undefined && Object.values(members).every((value) => typeof value === 'string');
};

const toList = (text: string): string => namesIn(text).join(',');

const toBaseUrl = (text: string): string => {
  // Vendors that speak over WebSockets give theirs as `wss:`.
  const address = readWebAddress(text.trim().replace(/^ws(?=s?:)/i, 'http'));
  if (address === undefined) throw new AppError('channel_address_invalid');
  return address;
};

const toMapping = (text: string): string => {
  if (text.trim() !== '' && !isTextMap(text)) throw new AppError('channel_mapping_invalid');
  return text.trim();
};

const toConfig = (text: string): string => {
  const read = readChannelConfig(text);
  if (read.kind === 'no_object') throw new AppError('channel_config_invalid');
  if (read.kind === 'fault') throw new AppError('invalid_input', { faults: inputFaults(read.issues) });
  return text.trim();
};

/** Present members only: null and absent mean unchanged. */
const present = <Value, Result>(value: Value | null | undefined, read: (value: Value) => Result): Result | undefined =>
  value === null || value === undefined ? undefined : read(value);

/** Drops undefined members, which would be columns without a value. */
const defined = <Fields extends object>(fields: Fields) => {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // `Object.entries` forgets the keys' types; nothing else changes here.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return Object.fromEntries(entries) as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
};

/** Absent, null, 0 and empty mean unchanged for what no channel is without (wire contract 2.5). */
const unlessEmpty = <Value extends string | number>(value: Value | null | undefined): Value | undefined =>
  value === null || value === 0 || value === '' ? undefined : value;

/**
 * The columns that a request sets, checked but for the status. Stale members that forms echo (balance, times, used
 * quota) are not read.
 */
export const readChannel = (input: Input): ChannelFields =>
  defined({
    type: unlessEmpty(input.type),
    name: unlessEmpty(input.name?.trim()),
    status: unlessEmpty(input.status),
    weight: present(input.weight, (weight) => Math.max(0, weight)),
    priority: present(input.priority, (priority) => priority),
    base_url: present(input.base_url, toBaseUrl),
    other: present(input.other, (other) => other),
    models: unlessEmpty(present(input.models, toList)),
    group: unlessEmpty(present(input.group, toList)),
    model_mapping: present(input.model_mapping, toMapping),
    config: present(input.config, toConfig),
    system_prompt: present(input.system_prompt, (prompt) => prompt),
  });

/** Refuses a status that no caller may set. The stored one is none: edit forms send it back. */
export const checkStatus = ({ status }: ChannelFields, stored: number): void => {
  if (status === undefined || status === stored) return;
  if (status !== channelStatus.enabled && status !== channelStatus.disabled) throw new AppError('status_invalid');
};

/** Accounts of Google are JSON texts over several lines: as part of a key each is one. */
const onOneLine = (key: string): string =>
  key.replaceAll(/\{[^{}]*\}/g, (text) => {
    try {
      return JSON.stringify(JSON.parse(text));
    } catch {
      return text;
    }
  });

/**
 * The keys of a request, of which each is a channel's: one per line, blank lines count for nothing. With `multi_key` in
 * the config all lines are together the key of one channel.
 */
export const readKeys = (key: string | undefined, config: string): string[] => {
  const lines = onOneLine(key ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const read = readChannelConfig(config);
  const together = lines.length > 0 && read.kind === 'config' && read.config.multi_key === true;
  return together ? [[...new Set(lines)].join('\n')] : lines;
};
