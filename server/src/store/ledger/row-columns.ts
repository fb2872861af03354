import type { ChannelUsesTable } from '../channels/channel-use-table.ts';
import type { LogHoursTable, HoldsTable } from '../schema.ts';
import type { NewEntry } from './accounts-state.ts';

/** Columns of the rows that a batch of postings inserts, in the order in which their values are bound. */
export const ledgerColumns = [
  'op_key',
  'kind',
  'user_id',
  'token_id',
  'channel_id',
  'amount',
  'unrecovered',
  'request_id',
  'price_version',
  'estimated',
  'actor_id',
  'reason',
  'created_at',
  'budgets',
] as const satisfies (keyof NewEntry)[];

export const holdColumns = [
  'request_id',
  'user_id',
  'token_id',
  'channel_id',
  'amount',
  'token_limited',
  'price_version',
  'model_name',
  'node',
  'epoch',
  'opened_at',
  'progress',
  'budgets',
] as const satisfies (keyof HoldsTable)[];

export const channelUseColumns = ['channel_id', 'node', 'used'] as const satisfies (keyof ChannelUsesTable)[];

export const hourKeyColumns = [
  'hour',
  'user_id',
  'token_name',
  'model_name',
  'channel_id',
  'token_id',
] as const satisfies (keyof LogHoursTable)[];

export const hourSumColumns = [
  'requests',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'cost',
  'costed',
] as const satisfies (keyof LogHoursTable)[];
