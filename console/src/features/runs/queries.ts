import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { endRun, getRun, listRuns } from '@weir/contract/limits/runs';
import type { Run } from '@weir/contract/limits/runs';
import { call } from '../../lib/api/call.ts';
import { patchRow } from '../../lib/lists/paged-list.ts';
import type { RunsSearch } from './runs-search.ts';

const key = ['runs'] as const;

/** The query of the list, which is whole. */
export const runsList = ({ q }: Pick<RunsSearch, 'q'>) => ({
  key: [...key, q ?? ''],
  whole: true,
  fetchPage: (_: number, signal: AbortSignal): Promise<Run[]> =>
    call(listRuns, { query: { keyword: q ?? '' }, signal }),
});

/** A run with its steps. One that takes calls is read again every few seconds. */
export const runQuery = (id: number) =>
  queryOptions({
    queryKey: ['run', id],
    queryFn: ({ signal }) => call(getRun, { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.end === '' ? 5000 : false),
  });

export const stopRun = async (client: QueryClient, { id }: Pick<Run, 'id'>): Promise<void> => {
  const row = await call(endRun, { params: { id } });
  patchRow<Run>(client, key, id, row);
  await client.invalidateQueries({ queryKey: ['run', id] });
};
