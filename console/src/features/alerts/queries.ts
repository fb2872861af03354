import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import {
  acknowledgeAlert,
  createAlertDestination,
  createAlertRule,
  deleteAlertDestination,
  deleteAlertRule,
  listAlertDestinations,
  listAlertRules,
  listAlerts,
  testAlertDestination,
  updateAlertDestination,
  updateAlertRule,
} from '@weir/contract/alerts/alerts';
import type { BodyInput } from '@weir/contract/endpoint';
import { call } from '../../lib/api/call.ts';

const key = ['alerts'] as const;

export const rulesQuery = queryOptions({
  queryKey: [...key, 'rules'],
  queryFn: ({ signal }) => call(listAlertRules, { signal }),
});

export const destinationsQuery = queryOptions({
  queryKey: [...key, 'destinations'],
  queryFn: ({ signal }) => call(listAlertDestinations, { signal }),
});

export const historyQuery = ({ page, state = '' }: { readonly page: number; readonly state: string | undefined }) =>
  queryOptions({
    queryKey: [...key, 'history', page, state],
    queryFn: ({ signal }) => call(listAlerts, { query: { p: page, state }, signal }),
    refetchInterval: 30_000,
  });

const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key });

/** `id` 0: a new one. */
export const saveRule = async (
  client: QueryClient,
  id: number,
  body: BodyInput<typeof createAlertRule>,
): Promise<void> => {
  if (id === 0) await call(createAlertRule, { body });
  else await call(updateAlertRule, { body: { ...body, id } });
  await refresh(client);
};

/** `id` 0: a new one. */
export const saveDestination = async (
  client: QueryClient,
  id: number,
  body: BodyInput<typeof createAlertDestination>,
): Promise<void> => {
  if (id === 0) await call(createAlertDestination, { body });
  else await call(updateAlertDestination, { body: { ...body, id } });
  await refresh(client);
};

export const removeRule = async (client: QueryClient, id: number): Promise<void> => {
  await call(deleteAlertRule, { params: { id } });
  await refresh(client);
};

export const removeDestination = async (client: QueryClient, id: number): Promise<void> => {
  await call(deleteAlertDestination, { params: { id } });
  await refresh(client);
};

export const sendTest = async (id: number): Promise<void> => {
  await call(testAlertDestination, { params: { id } });
};

export const acknowledge = async (client: QueryClient, id: number): Promise<void> => {
  await call(acknowledgeAlert, { params: { id } });
  await refresh(client);
};
