import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import {
  cancelChannelTestRun,
  getChannelHealth,
  getChannelTestRun,
  type testScopes,
} from '@weir/contract/channel-health';
import { getRoute } from '@weir/contract/channel-route';
import {
  channelStatus,
  deleteDisabledChannels,
  listChannels,
  testChannels,
  updateChannelBalance,
} from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { call, callWhole } from '../../lib/api/call.ts';
import { patchRow } from '../../lib/lists/paged-list.ts';
import { channelsKey } from './queries.ts';

export type TestScope = (typeof testScopes)[number];

const runKey = ['channel-test-run'] as const;
const runPollMs = 1000;

/** Progress of a test of many channels. Polled only while one runs. */
export const testRunQuery = queryOptions({
  queryKey: runKey,
  queryFn: ({ signal }) => call(getChannelTestRun, { signal }),
  refetchInterval: ({ state }) => (state.data?.running === true ? runPollMs : false),
  retry: false,
});

export const startTests = async (client: QueryClient, scope: TestScope): Promise<void> => {
  await call(testChannels, { query: { scope } });
  await client.invalidateQueries({ queryKey: runKey });
};

export const stopTests = async (client: QueryClient): Promise<void> => {
  client.setQueryData(runKey, await call(cancelChannelTestRun));
};

export const refreshChannels = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: channelsKey });

const pagesMax = 100;

/** All channels, up to the limit of the list. */
export const listEvery = async (): Promise<Channel[]> => {
  const found: Channel[] = [];
  for (let page = 0; page < pagesMax; page += 1) {
    const rows = await call(listChannels, { query: { p: page } });
    if (rows.length === 0) break;
    found.push(...rows);
  }
  return found;
};

/** The channels that are disabled, by hand or by the system. */
export const listDisabled = async (): Promise<Channel[]> => {
  const { disabled, autoDisabled } = channelStatus;
  return (await listEvery()).filter(({ status }) => status === disabled || status === autoDisabled);
};

/** Deletes every disabled channel; resolves to their number. */
export const removeDisabled = async (client: QueryClient): Promise<number> => {
  const count = await call(deleteDisabledChannels);
  await refreshChannels(client);
  return count;
};

/** Fetches a channel's balance from its provider and shows it in the list. */
export const refreshBalance = async (client: QueryClient, id: number): Promise<void> => {
  const { balance, currency: balance_currency } = await callWhole(updateChannelBalance, { params: { id } });
  const read = { balance, balance_currency };
  patchRow<Channel>(client, channelsKey, id, { ...read, balance_updated_time: Math.floor(Date.now() / 1000) });
  client.setQueryData<Channel>(['channel', id], (channel) => channel && { ...channel, ...read });
};

/** The route of a call at this moment. */
export const routeQuery = (model: string, group: string) =>
  queryOptions({
    queryKey: ['channel', 'route', model, group],
    queryFn: ({ signal }) => call(getRoute, { query: { model, group }, signal }),
    staleTime: 0,
    refetchInterval: 30_000,
  });

export const healthQuery = (id: number) =>
  queryOptions({
    queryKey: ['channel', id, 'health'],
    queryFn: ({ signal }) => call(getChannelHealth, { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: 30_000,
  });
