import { queryOptions, useQuery } from '@tanstack/react-query';
import { listChannelActivity } from '@weir/contract/channel-health';
import type { ChannelActivity } from '@weir/contract/channel-health';
import { useCapabilities } from '../../lib/api/capabilities.ts';
import { call } from '../../lib/api/call.ts';

/** The traffic of channels over the last 24 hours, by id; channels without any are absent. */
export type Activity = ReadonlyMap<number, ChannelActivity>;

const freshMs = 60_000;

const activityQuery = queryOptions({
  queryKey: ['channel-activity'],
  staleTime: freshMs,
  queryFn: ({ signal }) => call(listChannelActivity, { signal }),
});

const byId = (rows: readonly ChannelActivity[]): Activity => new Map(rows.map((row) => [row.id, row]));

/** Undefined: not loaded, or this server does not report it. */
export const useActivity = (): Activity | undefined =>
  useQuery({ ...activityQuery, select: byId, enabled: useCapabilities() }).data;

/** The share of attempts that succeeded, from 0 to 1; undefined: there were none. */
export const successOf = (traffic: ChannelActivity | undefined): number | undefined => {
  const attempts = (traffic?.succeeded ?? 0) + (traffic?.failed ?? 0);
  return attempts === 0 ? undefined : (traffic?.succeeded ?? 0) / attempts;
};
