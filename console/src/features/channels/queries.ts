import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import {
  channelStatus,
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  searchChannels,
  testChannel,
  updateChannel,
} from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import type { BodyInput } from '@weir/contract/endpoint';
import { listGroups } from '@weir/contract/groups';
import { listCatalogueModels, listChannelTypeModels } from '@weir/contract/models';
import { call, callWhole } from '../../lib/api/call.ts';
import type { OnTotal } from '../../lib/api/call.ts';
import { isRecord } from '../../lib/is-record.ts';
import { patchRow } from '../../lib/lists/paged-list.ts';
import { readJson, writeText } from '../../lib/browser/storage.ts';
import type { ModelFields } from './list/model-change.ts';
import type { ChannelsSearch } from './list/channels-search.ts';

/** Every page of the list. */
export const channelsKey = ['channels'] as const;

/** The query of the list: a search returns everything, otherwise pages, newest first. */
export const channelsList = ({ q }: Pick<ChannelsSearch, 'q'>) => ({
  key: [...channelsKey, q ?? ''],
  whole: q !== undefined,
  fetchPage: (page: number, signal: AbortSignal, onTotal?: OnTotal): Promise<Channel[]> =>
    q === undefined
      ? call(listChannels, { query: { p: page }, signal, onTotal })
      : call(searchChannels, { query: { keyword: q }, signal }),
});

export const channelQuery = (id: number) =>
  queryOptions({
    queryKey: ['channel', id],
    queryFn: ({ signal }) => call(getChannel, { params: { id }, signal }),
    staleTime: 0,
  });

const unchanging = Number.POSITIVE_INFINITY;

/** Model names by type id, as stored by this console or another one of the contract. */
const storedModels = (): Record<string, string[]> | undefined => {
  const stored = readJson('channel_models');
  if (!isRecord(stored)) return undefined;
  const lists = Object.entries(stored).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]));
  return Object.fromEntries(lists);
};

/** The default models of each type, cached in memory and in local storage (specification §7). */
export const typeModelsQuery = queryOptions({
  queryKey: ['type-models'],
  queryFn: async ({ signal }) => {
    const models = await call(listChannelTypeModels, { signal });
    writeText('channel_models', JSON.stringify(models));
    return models;
  },
  placeholderData: storedModels,
  staleTime: unchanging,
});

/** Every model name that the gateway has, without duplicates. */
export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: async ({ signal }) => {
    const { data } = await call(listCatalogueModels, { signal });
    return [...new Set(data.map(({ id }) => id))].sort();
  },
  staleTime: unchanging,
});

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => call(listGroups, { signal }),
});

const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: channelsKey });

export type ChannelFields = BodyInput<typeof createChannel>;

export const create = async (client: QueryClient, fields: ChannelFields): Promise<void> => {
  await call(createChannel, { body: fields });
  await refresh(client);
};

export const update = async (client: QueryClient, id: number, fields: ChannelFields): Promise<void> => {
  await call(updateChannel, { body: { id, ...fields } });
  client.removeQueries({ queryKey: ['channel', id] });
  await refresh(client);
};

/** The status values that the switch can set. */
export type SwitchStatus = (typeof channelStatus)['enabled' | 'disabled'];

/** The status that the switch sets from the current one. */
export const oppositeOf = (status: number): SwitchStatus =>
  status === channelStatus.enabled ? channelStatus.disabled : channelStatus.enabled;

/** Changes one member of a channel on screen, then on the server; reverts it if the server refuses. */
export const change = async (
  client: QueryClient,
  { id }: Channel,
  member:
    | { readonly status: SwitchStatus }
    | { readonly priority: number }
    | { readonly weight: number }
    | { readonly group: string }
    | ModelFields,
): Promise<void> => {
  const takeBack = patchRow<Channel>(client, channelsKey, id, member);
  try {
    const { status } = await call(updateChannel, { body: { id, ...member } });
    patchRow<Channel>(client, channelsKey, id, { status });
  } catch (error) {
    takeBack();
    throw error;
  }
};

export const remove = async (client: QueryClient, { id }: Channel): Promise<void> => {
  await call(deleteChannel, { params: { id } });
  patchRow<Channel>(client, channelsKey, id, { deleted: true });
};

/** Tests a channel; resolves to the seconds it took and shows them in the list. */
export const test = async (
  client: QueryClient,
  id: number,
  model: string,
  signal: AbortSignal | undefined,
): Promise<number> => {
  const { time } = await callWhole(testChannel, { params: { id }, query: { model }, ...(signal && { signal }) });
  patchRow<Channel>(client, channelsKey, id, {
    response_time: Math.round(time * 1000),
    test_time: Math.floor(Date.now() / 1000),
    test_error: '',
  });
  return time;
};

/** The newest channel of a name: the create call returns no id. */
export const newestNamed = async (name: string): Promise<Channel | undefined> =>
  (await call(listChannels, { query: { p: 0 } })).find((channel) => channel.name === name);
