import { channelStatus } from '@weir/contract/channels';
import { readChannelConfig } from '@weir/contract/channel-config';
import { defaultGroup } from '@weir/contract/groups';
import { vendorOf, vendors } from '@weir/contract/catalogue/vendors';
import { namesIn } from '@weir/contract/wire';
import type { Selectable } from 'kysely';
import { abilitiesOf } from '../../store/channels/abilities.ts';
import { storedChannelConfig } from '../../store/channels/channel-config.ts';
import { channelKeyColumns } from '../../store/channels/channels.ts';
import { openChannel } from '../../store/imports/opening-entries.ts';
import type { NewEntry } from '../../store/ledger/accounts-state.ts';
import type { AbilitiesTable, ChannelsTable } from '../../store/schema.ts';
import { type RowReader, readRow } from '../source-values.ts';
import type { SourceRow } from '../sources/source.ts';
import { type Conversion, noteOf } from './conversion.ts';

type Note = ReturnType<typeof noteOf>;

/** Numbers that New API has given to other vendors than One API, with the number of the same vendor here; 0: none. */
const newApiTypes: ReadonlyMap<number, number> = new Map([
  [2, 0],
  [4, vendors.ollama.id],
  [5, 0],
  [26, vendors.zhipu.id],
  [27, 0],
  [34, vendors.cohere.id],
  [35, vendors.minimax.id],
  [36, 0],
  [37, 0],
  [38, 0],
  [39, vendors.cloudflare.id],
  [40, vendors.siliconflow.id],
  [41, vendors.vertex.id],
  [42, vendors.mistral.id],
  [43, vendors.deepseek.id],
  [44, 0],
  [45, vendors.volcengine.id],
  [46, vendors.qianfan.id],
  [47, 0],
  [48, vendors.xai.id],
  [49, vendors.coze.id],
  [50, 0],
  [51, 0],
  [56, vendors.replicate.id],
]);

/** Columns of New API that have no counterpart. */
const otherSettings = [
  'tag',
  'status_code_mapping',
  'setting',
  'settings',
  'param_override',
  'header_override',
  'openai_organization',
];

const statusOf = (row: RowReader, note: Note): number => {
  const status = row.integer('status', channelStatus.enabled);
  const { enabled, disabled, autoDisabled } = channelStatus;
  const isKnown = status === enabled || status === disabled || status === autoDisabled;
  if (!isKnown) note('unknown_status', 'status');
  return isKnown ? status : disabled;
};

/** The type and status: a channel of a type that is not known here is disabled. */
const typeOf = (row: RowReader, { isNewApi }: Conversion, note: Note) => {
  const given = row.integer('type');
  const type = (isNewApi ? newApiTypes.get(given) : undefined) ?? given;
  const status = statusOf(row, note);
  if (vendorOf(type) === undefined || type === 0) {
    note('unknown_type', 'type status');
    return { type: vendors.custom.id, status: channelStatus.disabled };
  }
  if (type !== given) note('renumbered_type', 'type');
  return { type, status };
};

const noteContents = (row: RowReader, { isNewApi }: Conversion, note: Note): void => {
  if (row.key('key').includes('\n')) note('several_keys');
  if (row.text('models').trim() === '' && row.integer('status', 1) === channelStatus.enabled) note('no_models');
  const config = readChannelConfig(row.text('config'));
  if (config.kind !== 'config') note('config_invalid');
  if (isNewApi && otherSettings.some((column) => !['', '{}', 'null'].includes(row.text(column).trim())))
    note('channel_settings', 'settings');
};

/** A channel with its key sealed, what it can serve, and the entry of its use. */
export const convertChannel = (
  source: SourceRow,
  conversion: Conversion,
): {
  readonly row: Selectable<ChannelsTable>;
  readonly abilities: readonly Selectable<AbilitiesTable>[];
  readonly entries: readonly NewEntry[];
} => {
  const row = readRow('channels', source);
  const note = noteOf(conversion, 'channels', row.id, row.text('name'));
  noteContents(row, conversion, note);
  const used = row.integer('used_quota');
  if (used < 0) note('negative_used', 'used_quota');
  const opened = openChannel({ id: row.id, used: Math.max(0, used), at: conversion.at });
  const channel: Selectable<ChannelsTable> = {
    id: row.id,
    ...typeOf(row, conversion, note),
    ...channelKeyColumns(conversion.secrets, row.key('key')),
    status_reason: '',
    name: row.text('name'),
    weight: row.integer('weight'),
    priority: row.integer('priority'),
    created_time: row.integer('created_time'),
    test_time: row.integer('test_time'),
    response_time: row.integer('response_time'),
    test_error: '',
    base_url: row.text('base_url').trim(),
    other: row.text('other'),
    balance: row.real('balance'),
    balance_currency: '',
    balance_updated_time: row.integer('balance_updated_time'),
    models: row.text('models'),
    group: row.has('group') ? row.text('group') : defaultGroup,
    used: opened.used,
    model_mapping: row.text('model_mapping'),
    config: storedChannelConfig(conversion.secrets, row.text('config'), ''),
    system_prompt: row.text('system_prompt'),
    deleted_time: 0,
  };
  for (const group of namesIn(channel.group)) conversion.groups.add(group);
  return { row: channel, abilities: abilitiesOf(channel), entries: opened.entries };
};
